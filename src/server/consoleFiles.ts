// The built console: its page and its assets, compressed when it was built, read once and kept in memory.
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { encodedBody, type EncodedBody } from "./encodedBody.ts";

export interface ConsoleFile {
  body: EncodedBody;
  contentType: string;
}

export interface ConsoleFiles {
  /** Null while the console is not built. */
  page(): Promise<ConsoleFile | null>;
  /** `name`: of a file in assets/. Null: there is none of this name. */
  asset(name: string): Promise<ConsoleFile | null>;
}

type FileSet = ReadonlyMap<string, ConsoleFile>;

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const PAGE = "index.html";

/** `folder`: where the build puts its files. A build that replaces them is seen at the next request of the page. */
export function createConsoleFiles(folder: string): ConsoleFiles {
  let loaded: { builtAt: number; files: Promise<FileSet> } | null = null;

  async function load(): Promise<FileSet | null> {
    const built = await stat(join(folder, PAGE)).catch(() => null);
    if (!built) return null;
    if (loaded?.builtAt !== built.mtimeMs) loaded = { builtAt: built.mtimeMs, files: readFiles(folder) };
    const { files } = loaded;
    return files.catch((error: unknown) => {
      // The next request tries again.
      loaded = null;
      throw error;
    });
  }
  return {
    page: async () => (await load())?.get(PAGE) ?? null,
    asset: async (name) => ((await loaded?.files) ?? (await load()))?.get(`assets/${name}`) ?? null,
  };
}

async function readFiles(folder: string): Promise<FileSet> {
  const names = (await readdir(join(folder, "assets"))).map((name) => `assets/${name}`);
  const served = [PAGE, ...names].filter((name) => extname(name) in TYPES);
  const files = served.map(async (name): Promise<[string, ConsoleFile]> => {
    const path = join(folder, name);
    const [plain, br, gzip] = await Promise.all([readFile(path), readIfThere(`${path}.br`), readIfThere(`${path}.gz`)]);
    const encoded = [
      ...(br ? [{ encoding: "br" as const, bytes: br }] : []),
      ...(gzip ? [{ encoding: "gzip" as const, bytes: gzip }] : []),
    ];
    return [name, { body: encodedBody(plain, encoded), contentType: TYPES[extname(name)] ?? "" }];
  });
  return new Map(await Promise.all(files));
}

const readIfThere = (path: string): Promise<Buffer | null> => readFile(path).catch(() => null);
