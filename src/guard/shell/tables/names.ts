/** Folders whose programs nobody but the system and its package manager puts there, and files that are no files. */
const systemFolders = ["/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/opt/homebrew/bin/", "/opt/homebrew/sbin/", "/usr/libexec/"];

/** True for `/usr/bin/git`, false for `/usr/bin/../../tmp/git`. */
export function isSystemPath(path: string): boolean {
  return systemFolders.some((folder) => path.startsWith(folder) && !path.slice(folder.length).includes("/"));
}

/** Names in `/dev` that stand for nothing kept on disk. */
export function isPseudoFile(path: string): boolean {
  return /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/.test(path);
}
