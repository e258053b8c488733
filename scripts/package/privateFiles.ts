// Files with secrets that operators keep in a checkout. No package, image or commit has them: .gitignore and .dockerignore name them, too.
import { basename, matchesGlob } from "node:path";

export const PRIVATE = [".env", ".env.old*", "keys.json", "api-keys.json", "secrets"];

export const isPrivate = (path: string): boolean => PRIVATE.some((name) => matchesGlob(basename(path), name));
