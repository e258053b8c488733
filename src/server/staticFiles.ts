// The files of a built site, such as the console: compressed when they were built, read once and kept in memory.
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress, gzip } from "node:zlib";
import { encodedBody, type EncodedBody } from "./encodedBody.ts";

export interface StaticFile {
  body: EncodedBody;
  contentType: string;
}

export interface StaticFiles {
  /** `name`: from the folder, with slashes. Null: it is not there, or the site is not built. */
  page(name: string): Promise<StaticFile | null>;
  /** `name`: of a file in assets/. Null: there is none of this name. */
  asset(name: string): Promise<StaticFile | null>;
  isBuilt(): Promise<boolean>;
}

type FileSet = ReadonlyMap<string, StaticFile>;

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** The first page of a site. A build that replaces it replaces all. */
export const INDEX = "index.html";

/** `folder`: where the build puts its files; a text may be there as .br alone, but for the first page. A build that replaces them is seen at the next request of a page. */
export function createStaticFiles(folder: string): StaticFiles {
  let loaded: { builtAt: number; files: Promise<FileSet> } | null = null;

  async function load(): Promise<FileSet | null> {
    const built = await stat(join(folder, INDEX)).catch(() => null);
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
    page: async (name) => (await load())?.get(name) ?? null,
    asset: async (name) => ((await loaded?.files) ?? (await load()))?.get(`assets/${name}`) ?? null,
    isBuilt: async () => (await load()) !== null,
  };
}

async function readFiles(folder: string): Promise<FileSet> {
  const found = await readdir(folder, { encoding: "utf8", recursive: true });
  const names = new Set(found.map((name) => name.replace(/\.(?:br|gz)$/, "")).filter((name) => extname(name) in TYPES));
  const files = Array.from(names, async (name): Promise<[string, StaticFile]> => {
    const path = join(folder, name);
    const [plain, br, gz] = await Promise.all(["", ".br", ".gz"].map((ending) => readIfThere(path + ending)));
    const bytes = plain ?? (await decompress(br ?? Buffer.alloc(0)));
    // A browser or a proxy without brotli gets gzip where the build left all but .br out, too.
    const gzipped = gz ?? (plain ? null : await compress(bytes));
    const encoded = [
      ...(br ? [{ encoding: "br" as const, bytes: br }] : []),
      ...(gzipped ? [{ encoding: "gzip" as const, bytes: gzipped }] : []),
    ];
    return [name.replaceAll(sep, "/"), { body: encodedBody(bytes, encoded), contentType: TYPES[extname(name)] ?? "" }];
  });
  return new Map(await Promise.all(files));
}

const decompress = promisify(brotliDecompress);
const compress = promisify(gzip);

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
