import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The files of a folder that contain any of the texts. */
export async function holders(folder: string, texts: readonly (string | Buffer)[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => {
      const bytes = Buffer.concat(await createReadStream(file).toArray());
      return texts.some((text) => bytes.includes(text)) ? [file] : [];
    }),
  );
  return found.flat();
}
