// Makes new names in a folder durable.
import { open } from "node:fs/promises";

export async function syncDirectory(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}
