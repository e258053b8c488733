import { readFile } from "node:fs/promises";

/** Of this gateway, as package.json has it. */
export async function readVersion(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
