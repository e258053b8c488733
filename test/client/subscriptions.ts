// switchboard-client as a subscription that the harness can follow, in Node and in a page of Chromium.
import { fileURLToPath } from "node:url";
import { servePage, type BrowserPages } from "../support/browserPage.ts";
import type { Subscribe } from "../support/resume.ts";
import { followTransport, type Transport } from "./followTransport.ts";

const PAGE = fileURLToPath(new URL("resumePage.ts", import.meta.url));

export function subscribeInNode(transport: Transport): Subscribe {
  return (url, after, onSession) => {
    const end = followTransport(transport, url, after, onSession);
    return { [Symbol.asyncDispose]: async () => end() };
  };
}

/** The gateway must allow the origin of the pages. */
export const serveClientPage = (): Promise<BrowserPages> => servePage(PAGE);

/** In the page. */
declare const report: (sessionId: string) => void;
interface PageGlobals {
  followTransport: typeof followTransport;
}

export function subscribeInBrowser(pages: BrowserPages, transport: Transport): Subscribe {
  return async (url, after, onSession) => {
    const page = await pages.open();
    await page.exposeFunction("report", onSession);
    await page.evaluate(
      ([transport, url = "", after = ""]) => {
        const { followTransport } = globalThis as unknown as PageGlobals;
        followTransport(transport as Transport, url, after, (sessionId) => report(sessionId));
      },
      [transport, url, after],
    );
    return { [Symbol.asyncDispose]: () => page.close() };
  };
}
