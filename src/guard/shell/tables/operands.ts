/**
 * What well-known programs do with the words behind them. `test/shell/cases/operands.jsonl` has a line for every row.
 *
 * Kinds: `r` read, `w` written, `d` deleted (letters combine), `t` a path of which no more is known, `-` never a path,
 * `>` written, or a folder into which the sources go, `@` text in which `@FILE` names a file.
 * `operands` lists the kinds in order; `*` repeats, what stands behind a `*` counts from the end, and a kind with `?` is
 * left out where an option marked `!` was given (`grep -e PATTERN FILE`). `options` are those with values: `-o:w`,
 * `--arg:--` takes two words, `-e!:-` is marked, `-x!` is marked and takes none.
 */
export interface OperandRow {
  /** Programs, or a program and its subcommand; several are apart by commas. */
  readonly programs: string;
  readonly options?: string;
  readonly operands: string;
  /** Flags with which operands stand for everything below them; `always` where they do anyway. */
  readonly tree?: string;
  /** Other kinds where one of some flags is given. */
  readonly when?: readonly (readonly [flags: string, operands: string])[];
}

const search = "-e!:- --regexp!:- -f!:r --file!:r -m:- -A:- -B:- -C:- -d:- -D:- --max-count:- --after-context:- --before-context:- --context:- --include:- --exclude:- --exclude-dir:- --exclude-from:r --color:- --colour:- --label:-";
const codeSearch = `${search} -g:- -t:- -T:- -M:- -j:- --glob:- --iglob:- --type:- --type-not:- --max-depth:- --sort:- --sortr:- --max-columns:-`;

export const operandRows: readonly OperandRow[] = [
  // Words that are text.
  {
    programs:
      "echo, printf, true, false, :, sleep, seq, expr, basename, dirname, type, which, whereis, hash, alias, unalias, unset, shift, return, exit, break, continue, wait, jobs, fg, bg, kill, pkill, pgrep, killall, umask, ulimit, trap, eval, logger, notify-send, say, wall, man, help, whatis, apropos, tr, yes, uname, whoami, id, groups, hostname, ping, dig, nslookup, host, whois, ps, systemctl, service, tput, stty, printenv, read, export, declare, local, readonly, typeset, set, shopt, let, getopts, command, builtin, su, sudo, doas, nice, timeout, which, cal, factor, numfmt, uuidgen, nproc, free, uptime, locale, getent, passwd, useradd, usermod, userdel, groupadd, groupdel, apt, apt-get, brew, dnf, yum, pacman, apk, snap, gem, bundle, npm, npx, pnpm, yarn, bun, deno, docker-compose, kubectl, helm, terraform, ssh, telnet, tmux, screen, redis-cli, mongosh, mongo, dropdb, createdb, xclip, pbcopy, pbpaste, claude, vibe, codex, gemini, gh, glab, concurrently, hyperfine, dnctl",
    operands: "-*",
  },
  // Readers.
  { programs: "cat, tac, nl, more, most, bat, batcat, strings, hexdump, od, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, shasum, b2sum, cksum, sum, rev, expand, unexpand, zcat, gzcat, bzcat, xzcat, zstdcat, zless, zmore, lzcat, pygmentize, glow, mdcat, jless, ccat, vipe, soffice, pdftotext, antiword, catdoc", options: "-n:- -s:- -A:- -t:- -j:- -N:- -l:- --language:- --style:- --theme:- -w:- -f:- -b:- -v:- --line-range:- -H:-", operands: "r*" },
  { programs: "head, tail, less, wc, fold, fmt, pr, column, cut, paste, comm, cmp, diff3, vimdiff, colordiff, look", options: "-n:- -c:- --lines:- --bytes:- -d:- -f:- -b:- --delimiter:- --fields:- -w:- --width:- -s:- -t:- -o:- -p:- -x:- -y:- -P:- -k:- --pid:- --sleep-interval:- --files0-from:r --output-delimiter:-", operands: "r*" },
  { programs: "join", options: "-1:- -2:- -a:- -e:- -j:- -o:- -t:- -v:-", operands: "r*" },
  { programs: "diff, sdiff", options: "-U:- -C:- -I:- -F:- -x:- -X:r -W:- -o:w --output:w -S:- --label:- -L:- --unified:- --context:- --exclude:- --exclude-from:r --from-file:r --to-file:r --color:-", operands: "r*" },
  { programs: "base64, base32, basenc, uuencode, uudecode", options: "-w:- --wrap:- -b:- --break:- -i:r --input:r -o:w --output:w", operands: "r*" },
  { programs: "xxd, uniq", options: "-c:- -g:- -l:- -s:- -o:- -f:- -w:- -n:-", operands: "r w" },
  { programs: "iconv", options: "-f:- -t:- --from-code:- --to-code:- -o:w --output:w", operands: "r*" },
  { programs: "grep, egrep, fgrep, zgrep, rgrep, pcregrep, pcre2grep, ugrep", options: search, operands: "-? r*" },
  { programs: "ack, ag", options: codeSearch, operands: "-? r*" },
  { programs: "rg, ripgrep", options: `${codeSearch} -r:- --replace:- --pre:- --pre-glob:-`, operands: "-? r*", when: [["--files --type-list", "r*"]] },
  { programs: "awk, gawk, mawk, nawk", options: "-f!:r -F:- -v:- -i:- -l:- -e!:- --file!:r --field-separator:- --assign:- --source!:- --include:- -E!:r --exec!:r", operands: "-? r*", when: [["-i=inplace", "-? rw*"]] },
  { programs: "sed, gsed", options: "-e!:- --expression!:- -f!:r --file!:r -l:- --line-length:-", operands: "-? r*", when: [["-i -I --in-place", "-? rw*"]] },
  { programs: "perl", options: "-e!:- -E!:- -I:- -M:- -m:- -F:-", operands: "r? r*", when: [["-i", "r? rw*"]] },
  { programs: "ruby", options: "-e!:- -I:- -r:- -C:t -F:-", operands: "r? r*", when: [["-i", "r? rw*"]] },
  { programs: "jq, yq, gojq, jaq, dasel, xq, tomlq", options: "-f!:r --from-file!:r --arg:-- --argjson:-- --slurpfile:-r --rawfile:-r --indent:- -L:t -o:- -p:- --output-format:- --input-format:-", operands: "-? r*", when: [["-i --inplace --in-place", "-? rw*"]] },
  { programs: "fx, gron, xmllint, xsltproc, csvcut, csvgrep, csvlook, mlr, miller, datamash, q, hl, lnav, multitail", options: "--xpath:- --output:w -o:w -c:- -m:- -r:-", operands: "r*" },
  { programs: "python, python2, python3, pypy, pypy3", options: "-c!:- -m!:- -W:- -X:-", operands: "r? t*" },
  { programs: "node, nodejs, ts-node, tsx, electron", options: "-e!:- --eval!:- -p!:- --print!:- -r:r --require:r --import:r --loader:r --env-file:r -C:- --test-name-pattern:-", operands: "r? t*" },
  { programs: "php", options: "-r!:- -f!:r -d:- -c:r -S:- -t:t", operands: "r? t*" },
  { programs: "lua, luajit, tclsh, Rscript, julia, groovy, scala, kotlin, swift, elixir, escript, osascript, expect", options: "-e!:- -c!:- -l:-", operands: "r? t*" },
  { programs: "bash, sh, zsh, dash, ksh, ash, mksh, fish, rbash", options: "-c!:- -o:- +o:- -O:- +O:- --rcfile:r --init-file:r", operands: "r? t*" },
  { programs: "source, .", operands: "r t*" },
  { programs: "sort", options: "-k:- -o:w --output:w -S:- -t:- -T:t --key:- --field-separator:- --buffer-size:- --temporary-directory:t --parallel:- --files0-from:r --compress-program:- --random-source:r --sort:-", operands: "r*" },
  { programs: "shuf", options: "-e!:- -i:- -n:- -o:w --output:w --head-count:- --input-range:- --random-source:r", operands: "r*", when: [["-e --echo", "-*"]] },
  { programs: "split, csplit", options: "-a:- -b:- -C:- -l:- -n:- -t:- --filter:- --additional-suffix:- -f:t --bytes:- --lines:- --number:-", operands: "r t*" },
  { programs: "ls, dir, ll, la, tree, exa, eza, lsd, du, df, stat, file, test, [, readlink, realpath, cd, pushd, popd, namei, lsof, fuser, lsattr, getfacl, getfattr, xattr, find, fd, fdfind, locate, updatedb", options: "-name:- -I:- --ignore:- --hide:- -L:- -P:- -d:- --max-depth:- -c:- --format:- -f:- --printf:- --block-size:- --time-style:- --sort:- --color:-", operands: "t*" },
  { programs: "ssh-add, ssh-copy-id", options: "-t:- -i:r -p:- -o:- -D:- -E:- -s:-", operands: "r*" },
  { programs: "ssh-keygen", options: "-f:rw -t:- -b:- -C:- -N:- -P:- -m:- -I:- -s:r -n:- -V:- -O:- -R:- -F:- -Y:- -D:-", operands: "r*", when: [["-l -y -e -B -i", "r*"]] },
  { programs: "openssl", options: "-in:r -out:w -inkey:r -key:r -keyout:w -cert:r -CA:r -CAkey:r -CAfile:r -CApath:t -config:r -passin:- -passout:- -pass:- -subj:- -days:- -newkey:- -signkey:r -kfile:r -certfile:r -sign:r -verify:r -signature:r -connect:- -servername:- -extfile:r -extensions:- -inform:- -outform:- -name:- -K:- -iv:- -k:- -S:- -rand:r", operands: "- t*" },
  { programs: "gpg, gpg2", options: "-o:w --output:w -r:- -u:- --recipient:- --local-user:- --homedir:t --passphrase-file:r --passphrase:- --keyserver:- --default-key:- --cipher-algo:-", operands: "r*" },
  { programs: "age, rage, sops", options: "-o:w --output:w -r:- --recipient:- -R:r -i:r --identity:r --config:r --age:- --input-type:- --output-type:-", operands: "r*", when: [["-i --in-place", "rw*"]] },
  // Writers.
  { programs: "tee, sponge", options: "--output-error:-", operands: "w*" },
  { programs: "touch", options: "-r:r --reference:r -d:- -t:- --date:- --time:-", operands: "w*" },
  { programs: "truncate", options: "-s:- --size:- -r:r --reference:r", operands: "w*" },
  { programs: "fallocate", options: "-l:- -o:- --length:- --offset:-", operands: "w*" },
  { programs: "mkdir", options: "-m:- --mode:- -Z:-", operands: "w*" },
  { programs: "mkfifo, mknod", options: "-m:- --mode:-", operands: "w -*" },
  { programs: "chmod", options: "--reference!:r -r! -w! -x! -X! -s! -t!", operands: "-? w*", tree: "-R --recursive" },
  { programs: "chown, chgrp", options: "--reference!:r --from:-", operands: "-? w*", tree: "-R --recursive" },
  { programs: "chattr", options: "-p:- -v:-", operands: "- w*", tree: "-R" },
  { programs: "setfacl", options: "-m:- -x:- -M:r -X:r --modify:- --remove:- --restore:r", operands: "w*", tree: "-R --recursive" },
  { programs: "nano, vi, vim, nvim, ex, ed, emacs, emacsclient, pico, micro, hx, helix, kak, joe, mcedit, code, cursor, codium, subl, atom, gedit, kate, xed, sudoedit, visudo", options: "-c:- --cmd:- -S:r -u:r -s:r -T:- --eval:- -l:r --load:r -f:-", operands: "rw*" },
  { programs: "dos2unix, unix2dos, mac2unix, sqlfluff, black, isort, autopep8, yapf, rustfmt, standard, xo, stylua, dprint, swiftformat, ktlint", options: "-l:- --line-length:- --config:r -t:- --target-version:- --edition:- --config-path:t", operands: "rw*" },
  { programs: "prettier, eslint, biome, stylelint, rubocop, tslint, gofmt, goimports, gofumpt, clang-format, shfmt, ruff, markdownlint, taplo, oxlint, oxfmt", options: "--config:r -c:r --ignore-path:r --parser:- --ext:- -i:- -ci:- -ln:- -style:- --style:- -o:w --output-file:w --rule:- --format:-", operands: "t*", when: [["--write -w --fix -i --apply -a -A --autocorrect", "rw*"]] },
  { programs: "sqlite3", options: "-cmd:- -init:r -separator:- -newline:- -nullvalue:- -vfs:-", operands: "rw -*" },
  { programs: "psql", options: "-c:- --command:- -f:r --file:r -o:w --output:w -L:w --log-file:w -d:- -h:- -p:- -U:- -v:- -F:- -P:- -R:- -T:- --dbname:- --host:- --port:- --username:- --set:- --variable:-", operands: "-*" },
  { programs: "mysql, mariadb", options: "-e:- --execute:- -h:- -P:- -u:- -D:- --tee:w --defaults-file:r --ssl-ca:r --ssl-cert:r --ssl-key:r -S:t", operands: "-*" },
  { programs: "pg_dump, pg_dumpall, mysqldump, mongodump, mongoexport", options: "-f:w --file:w -r:w --result-file:w -o:w --out:w -h:- -p:- -P:- -U:- -u:- -d:- -t:- -n:- -F:- -j:- --db:- --collection:- --uri:-", operands: "-*" },
  { programs: "mkfs, mkfs.ext2, mkfs.ext3, mkfs.ext4, mkfs.xfs, mkfs.btrfs, mkfs.vfat, mkfs.fat, mke2fs, mkswap, wipefs, fdisk, sfdisk, gdisk, sgdisk, cfdisk, blkdiscard, badblocks, tune2fs, resize2fs, e2fsck, fsck, hdparm, cryptsetup, pvcreate, lvremove, vgremove", options: "-t:- -L:- -U:- -b:- -m:- -N:- -I:- -F:- -O:- -o:- --label:- --type:- --offset:-", operands: "w*" },
  { programs: "parted", operands: "w -*" },
  { programs: "losetup", options: "-o:- --offset:- --sizelimit:-", operands: "w r" },
  { programs: "mount", options: "-t:- -o:- --types:- --options:- -L:- -U:-", operands: "t t" },
  { programs: "umount, swapon, swapoff", operands: "t*" },
  // Deleters.
  { programs: "rm, grm", options: "--interactive:- --preserve-root:-", operands: "d*", tree: "-r -R --recursive" },
  { programs: "rmdir, rimraf, del, del-cli, trash, trash-put, trash-rm, gio trash, srm, rmtrash", options: "-g:- --glob:-", operands: "d*", tree: "always" },
  { programs: "unlink", operands: "d" },
  { programs: "shred, wipe", options: "-n:- --iterations:- -s:- --size:- --random-source:r --remove:-", operands: "wd*" },
  // Movers and copiers.
  { programs: "mv, gmv", options: "-t:> --target-directory:> -S:- --suffix:-", operands: "rd* >", tree: "always" },
  { programs: "cp, gcp", options: "-t:> --target-directory:> -S:- --suffix:- --reflink:- --sparse:- --no-preserve:- --preserve:-", operands: "r* >", tree: "-r -R -a --recursive --archive", when: [["-l --link -s --symbolic-link", "rw* >"]] },
  { programs: "ditto", options: "--arch:-", operands: "r* w", tree: "always" },
  { programs: "install, ginstall", options: "-t:> --target-directory:> -m:- -o:- -g:- -S:- --mode:- --owner:- --group:- --suffix:- --strip-program:-", operands: "r* >", when: [["-d --directory", "w*"]] },
  { programs: "ln, gln", options: "-t:> --target-directory:> -S:- --suffix:-", operands: "rw* >", tree: "always" },
  { programs: "link", operands: "rw w" },
  { programs: "symlink", operands: "rw w" },
  { programs: "rsync", options: "-e:- --rsh:- --rsync-path:- -f:- -T:t -M:- -B:- --exclude:- --include:- --exclude-from:r --include-from:r --files-from:r --filter:- --backup-dir:w --link-dest:r --compare-dest:r --copy-dest:r --bwlimit:- --timeout:- --port:- --log-file:w --password-file:r --chmod:- --chown:- --suffix:- --partial-dir:w --temp-dir:t --max-size:- --min-size:-", operands: "r* >", tree: "always", when: [["--delete --del --delete-before --delete-during --delete-delay --delete-after --delete-excluded", "r* wd"], ["--remove-source-files", "rd* >"]] },
  { programs: "scp", options: "-c:- -F:r -i:r -J:- -l:- -o:- -P:- -S:- -D:- -X:-", operands: "r* >", tree: "-r" },
  { programs: "sftp", options: "-b:r -B:- -c:- -D:- -F:r -i:r -J:- -l:- -o:- -P:- -R:- -s:- -S:-", operands: "t*" },
  { programs: "rename, prename, mmv", options: "-e!:-", operands: "-? rdw*" },
  { programs: "rclone copy, rclone sync, rclone move, rclone copyto, rclone moveto", options: "--config:r --include:- --exclude:- --transfers:- --filter-from:r --log-file:w", operands: "r >", tree: "always" },
  { programs: "aws s3 cp, aws s3 mv, aws s3 sync, gsutil cp, gsutil mv, gsutil rsync, gcloud storage cp, gcloud storage mv, az storage blob upload", options: "--profile:- --region:- --acl:- --include:- --exclude:- --file:r -f:r --metadata:- --content-type:-", operands: "r* >", tree: "always" },
  { programs: "docker cp, podman cp, kubectl cp, docker container cp", options: "-n:- --namespace:- -c:- --container:- --context:-", operands: "r >", tree: "always" },
  // Archives.
  { programs: "zip", options: "-b:t -i:- -x:- -n:- -O:w --out:w -P:- -t:- -tt:- --temp-path:t --exclude:- --include:-", operands: "w r*", tree: "-r -R --recurse-paths" },
  { programs: "unzip", options: "-d:> -P:- -x:-", operands: "r w*", tree: "always" },
  { programs: "gzip, bzip2, xz, lzma, pigz, pbzip2, compress", options: "-S:- --suffix:- -T:- -p:- -b:- --threads:-", operands: "rd*", tree: "-r --recursive", when: [["-c -k --stdout --keep --to-stdout -l -t --list --test", "r*"]] },
  { programs: "gunzip, bunzip2, unxz, unlzma, uncompress", options: "-S:- --suffix:- -T:- -p:-", operands: "rd*", tree: "-r --recursive", when: [["-c -k --stdout --keep --to-stdout -l -t --list --test", "r*"]] },
  { programs: "zstd, unzstd, lz4, brotli, snzip", options: "-o:w --output:w -T:- -D:r", operands: "r*", when: [["--rm -j --rm-source", "rd*"]] },
  { programs: "cpio, pax", options: "-F:rw -I:r -O:w -H:- -D:t -E:r -R:- -f:rw -s:- -x:- --file:rw --directory:t", operands: "t*" },
  { programs: "ar", operands: "- w r*" },
  { programs: "7z, 7za, 7zr, 7zz, rar", options: "", operands: "- w r*", tree: "always" },
  { programs: "unrar", operands: "- r w*" },
  { programs: "patch", options: "-d:t --directory:t -i:r --input:r -o:w --output:w -r:w --reject-file:w -p:- -F:- -B:- -D:- -V:- -z:- --strip:- --fuzz:-", operands: "rw r" },
  // The network.
  { programs: "curl", options: "-o:w --output:w -T:r --upload-file:r -d:@ --data:@ --data-binary:@ --data-raw:- --data-ascii:@ --data-urlencode:@ --json:@ -F:@ --form:@ -K:r --config:r -b:t --cookie:t -c:w --cookie-jar:w -D:w --dump-header:w --cacert:r --capath:t -E:r --cert:r --key:r --netrc-file:r --trace:w --trace-ascii:w --stderr:w --output-dir:w --etag-save:w --etag-compare:r --libcurl:w --hsts:rw --unix-socket:t -H:@ --header:@ -A:- --user-agent:- -e:- --referer:- -u:- --user:- -x:- --proxy:- -X:- --request:- -m:- --max-time:- -w:@ --write-out:@ -r:- --range:- -C:- --retry:- --connect-timeout:- --limit-rate:- --resolve:- --interface:- -y:- -Y:- -z:- --url:- --proto:- --tlsv1:- -Q:- --connect-to:- --noproxy:- --retry-delay:- --retry-max-time:- --ciphers:- --form-string:-", operands: "-*" },
  { programs: "wget, wget2", options: "-O:w --output-document:w -o:w --output-file:w -a:w --append-output:w -i:r --input-file:r -P:w --directory-prefix:w --post-file:r --body-file:r --load-cookies:r --save-cookies:w --ca-certificate:r --certificate:r --private-key:r --config:r -U:- --user-agent:- -t:- --tries:- -T:- --timeout:- -w:- --wait:- -Q:- -A:- -R:- -D:- -I:- -X:- -l:- -e:- --header:- --post-data:- --body-data:- --method:- --user:- --password:- --http-user:- --http-password:- --limit-rate:- --warc-file:w", operands: "-*" },
  { programs: "http, https, xh, httpie", options: "-o:w --output:w -a:- --auth:- --session:t --cert:r --cert-key:r", operands: "- @*" },
  { programs: "nc, ncat, netcat", options: "-e:- -c:- -p:- -s:- -w:- -o:w -x:- -X:- -i:- -q:-", operands: "-*" },
  { programs: "gh gist create, gh release upload, gh release create, glab release create, gh secret set, gh api, gh attestation verify", options: "-F:@ --field:@ -f:- --raw-field:- --input:r --body-file:r --notes-file:r -t:- -n:- --title:- --notes:- -b:- --body:- -R:- --repo:- -X:- --method:- -H:- --header:- -q:- --jq:- -d:- --desc:- --env:- --env-file:r", operands: "t*" },
  // git.
  { programs: "git add, git stage, git diff, git blame, git annotate, git show, git log, git ls-files, git hash-object, git check-ignore, git difftool, git cat-file, git whatchanged, git shortlog, git diff-tree, git diff-files, git diff-index, git rev-list, git ls-tree", options: "-S:- -G:- -L:- -U:- -n:- -O:r -C:- -M:- --format:- --pretty:- --author:- --grep:- --since:- --until:- --after:- --before:- --committer:- --date:- --max-count:- --skip:- --stat:- --diff-filter:- --pathspec-from-file:r --exclude-from:r -X:r -x:- --chmod:- --output:w --word-diff-regex:-", operands: "r*" },
  { programs: "git rm", options: "--pathspec-from-file:r", operands: "d*", tree: "-r", when: [["--cached -n --dry-run", "t*"]] },
  { programs: "git mv", operands: "rd* >", tree: "always", when: [["-n --dry-run", "t*"]] },
  { programs: "git restore", options: "-s:- --source:- --conflict:- --pathspec-from-file:r", operands: "w*", tree: "always", when: [["-W --worktree", "w*"], ["-S --staged", "t*"]] },
  { programs: "git clean", options: "-e:- --exclude:-", operands: "d*", tree: "always", when: [["-n --dry-run", "t*"]] },
  { programs: "git reset, git update-index, git checkout-index, git stash", options: "-m:- --message:- --pathspec-from-file:r --chmod:-", operands: "t*" },
  { programs: "git commit", options: "-m:- --message:- -F:r --file:r -t:r --template:r -C:- -c:- --reuse-message:- --reedit-message:- --fixup:- --squash:- --author:- --date:- --cleanup:- --trailer:- -S:- --gpg-sign:- -u:- --pathspec-from-file:r", operands: "t*" },
  { programs: "git tag, git notes, git merge, git revert, git cherry-pick", options: "-m:- --message:- -F:r --file:r -u:- --local-user:- -s:- -X:- -S:- --cleanup:- -x:-", operands: "-*" },
  { programs: "git config", options: "-f:rw --file:rw --blob:- -t:- --type:- --default:- --comment:- --value:-", operands: "-*" },
  { programs: "git apply, git am", options: "-p:- -C:- --directory:t --exclude:- --include:- --whitespace:-", operands: "r*" },
  { programs: "git grep", options: `${search} -O:- --open-files-in-pager:- --max-depth:- --threads:-`, operands: "-? r*" },
  { programs: "git clone", options: "-b:- -o:- -c:- -u:- -j:- --branch:- --origin:- --config:- --depth:- --reference:r --template:t --separate-git-dir:w --upload-pack:- --jobs:- --filter:- --shallow-since:- --server-option:-", operands: "- w" },
  { programs: "git init", options: "-b:- --initial-branch:- --template:t --separate-git-dir:w --object-format:- --shared:-", operands: "w" },
  { programs: "git worktree add", options: "-b:- -B:- --reason:- --orphan:-", operands: "w -*" },
  { programs: "git worktree remove", operands: "d", tree: "always" },
  { programs: "git worktree move", operands: "rd w", tree: "always" },
  { programs: "git submodule add", options: "-b:- --branch:- --name:- --reference:r --depth:-", operands: "- w" },
  { programs: "git archive", options: "-o:w --output:w --remote:- --exec:- --format:- --prefix:- --add-file:r", operands: "- r*" },
  { programs: "git bundle create", operands: "w -*" },
  { programs: "git format-patch", options: "-o:w --output-directory:w --start-number:- -n:- --to:- --cc:- --from:- --signature-file:r --suffix:- --subject-prefix:- -v:-", operands: "-*" },
  { programs: "git lfs track, git lfs untrack, git sparse-checkout", operands: "-*" },
  { programs: "git push, git pull, git fetch, git remote, git branch, git switch, git rebase, git describe, git rev-parse, git name-rev, git bisect, git symbolic-ref, git for-each-ref, git ls-remote, git merge-base, git reflog, git gc, git prune, git status, git submodule, git worktree, git range-diff, git cherry, git help, git version, git credential, git maintenance, git bundle, git lfs, git filter-branch, git replace, git send-email, git request-pull", operands: "-*" },
  { programs: "hg, svn, jj, bzr, fossil", options: "-m:- --message:- -F:r --file:r -r:- --revision:- -R:t -l:r --logfile:r", operands: "- t*" },
  // Wrappers: only what they open themselves; the command they run counts on its own.
  { programs: "env", options: "-u:- --unset:- -C:t --chdir:t -S:- --split-string:-", operands: "-*" },
  { programs: "xargs, gxargs", options: "-a:r --arg-file:r -d:- -E:- -I:- -J:- -L:- -n:- -P:- -R:- -s:- -S:-", operands: "-*" },
  { programs: "time, strace, ltrace", options: "-o:w --output:w -f:- --format:- -e:- -p:- -s:- -u:- -E:- -P:t", operands: "-*" },
  { programs: "flock, script", options: "-w:- -E:- -c:- --command:- -T:w -t:w -I:w -O:w -B:w --timing:w --log-in:w --log-out:w --log-io:w --timeout:- --wait:-", operands: "w" },
  { programs: "chroot", options: "--groups:- --userspec:-", operands: "t" },
  // Tools with files among their options.
  { programs: "make, gmake, just, task", options: "-C:t --directory:t -f:r --file:r --makefile:r -I:t -j:- -l:- -o:- -W:- --eval:- --justfile:r -d:t --working-directory:t -t:r --taskfile:r", operands: "-*" },
  { programs: "docker build, docker buildx build, podman build, docker image build", options: "-f:r --file:r -t:- --tag:- --build-arg:- --target:- --platform:- --label:- --secret:@ --ssh:- --cache-from:- --cache-to:- -o:w --output:w --iidfile:w --network:- --progress:-", operands: "t*" },
  { programs: "docker run, podman run, docker create", options: "-v:t --volume:t --mount:t --env-file:r --cidfile:w --label-file:r --secret:t -e:- --env:- -p:- --publish:- -w:- --workdir:- -u:- --user:- --name:- --network:- --entrypoint:- -l:- --label:- -h:- --hostname:- -m:- --memory:- --cpus:- --gpus:- --platform:- --restart:- --add-host:- --cap-add:- --cap-drop:- --security-opt:- --device:t --tmpfs:-", operands: "-*" },
  { programs: "docker compose, docker-compose", options: "-f:r --file:r --env-file:r --project-directory:t -p:- --project-name:- --profile:- --ansi:-", operands: "-*" },
  { programs: "docker save, docker export, podman save, podman export", options: "-o:w --output:w", operands: "-*" },
  { programs: "docker load, docker import, podman load", options: "-i:r --input:r -c:- -m:-", operands: "r -*" },
  { programs: "kubectl apply, kubectl create, kubectl delete, kubectl replace, kubectl diff, kubectl patch", options: "-f:r --filename:r -k:t --kustomize:t --patch-file:r --from-file:@ --from-env-file:r -n:- --namespace:- --context:- --kubeconfig:r -l:- --selector:- -p:- --patch:- --type:- --image:- --from-literal:- -o:- --output:-", operands: "-*" },
  { programs: "helm install, helm upgrade, helm template", options: "-f:r --values:r --set-file:@ --set:- --set-string:- -n:- --namespace:- --version:- --kube-context:- --post-renderer:-", operands: "- t*" },
  { programs: "terraform plan, terraform apply, terraform destroy, tofu plan, tofu apply, tofu destroy", options: "", operands: "t*" },
  { programs: "ansible-playbook", options: "-i:r --inventory:r -e:@ --extra-vars:@ --vault-password-file:r --private-key:r --key-file:r -u:- -l:- --limit:- -t:- --tags:- --skip-tags:- -f:- --forks:-", operands: "r*" },
  { programs: "pip, pip3, pip install, pip3 install, uv pip install", options: "-r:r --requirement:r -c:r --constraint:r -e:t --editable:t -t:w --target:w --prefix:w --root:w -i:- --index-url:- --extra-index-url:- -f:t --find-links:t --log:w --cert:r --cache-dir:t", operands: "-*" },
  { programs: "npm pack, npm publish, pnpm publish, yarn publish", options: "--tag:- --access:- --otp:- --pack-destination:w", operands: "t*" },
  { programs: "cargo, go, rustc, gcc, cc, clang, g++, clang++, tsc, esbuild, swc, webpack, vite, rollup, jest, vitest, mocha, pytest, tox, nox, mvn, gradle, gradlew, dotnet, javac, java, ld", options: "-o:w --outfile:w --out:w --outdir:w --outDir:w --output:w --target-dir:w --manifest-path:r -p:t --project:t -k:- -t:- --testNamePattern:- -run:-", operands: "t*" },
  { programs: "crontab", options: "-u:-", operands: "r" },
  { programs: "at", options: "-f:r -q:- -t:-", operands: "-*" },
  { programs: "ffmpeg", options: "-i:r -f:- -c:- -c:v:- -c:a:- -vf:- -ss:- -t:- -to:- -b:v:- -b:a:- -r:- -s:-", operands: "w*" },
  { programs: "pandoc", options: "-o:w --output:w -f:- -t:- --from:- --to:- --template:r -H:r --include-in-header:r --css:r -V:- --metadata:- -M:- --bibliography:r", operands: "r*" },
  { programs: "certbot, mkcert, step", options: "-cert-file:w -key-file:w", operands: "-*" },
];

/** The row of a program (and subcommand); `undefined` for one nothing is known of. */
export function operandRow(key: string): OperandRow | undefined {
  return operandRows.find((row) => row.programs.includes(key) && row.programs.split(", ").includes(key));
}
