// Every text in the memory of a page's scripts.
import type { Page } from "playwright-core";

/** The strings of a heap snapshot, one text a line. */
export async function heapTextOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => chunks.push(chunk));
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  await session.detach();
  return (JSON.parse(chunks.join("")) as { strings: string[] }).strings.join("\n");
}
