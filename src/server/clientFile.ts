// The packed client, which a browser's project installs: a file that is read once, and again when it was packed anew.
import { readFile, stat } from "node:fs/promises";
import { encodedBody, type EncodedBody } from "./encodedBody.ts";

export interface ClientFile {
  /** Null while it is not packed. */
  read(): Promise<EncodedBody | null>;
}

/** `file`: where client/build/ puts it. */
export function createClientFile(file: string): ClientFile {
  let loaded: { packedAt: number; body: Promise<EncodedBody> } | null = null;
  return {
    async read() {
      const packed = await stat(file).catch(() => null);
      if (!packed) return null;
      if (loaded?.packedAt !== packed.mtimeMs)
        loaded = { packedAt: packed.mtimeMs, body: readFile(file).then((bytes) => encodedBody(bytes, [])) };
      return loaded.body.catch((error: unknown) => {
        // The next request tries again.
        loaded = null;
        throw error;
      });
    },
  };
}
