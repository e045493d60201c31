export const habits: readonly ((r: any, g: any) => any)[] = [];
