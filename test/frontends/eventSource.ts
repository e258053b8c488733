// The browser's own EventSource as a subscription that the harness can follow. It resumes by itself, with Last-Event-ID.
import type { BrowserPages } from "../support/browserPage.ts";
import type { Subscribe } from "../support/resume.ts";

const QUERY = "subscription ($after: String) { callEnded(after: $after) { sessionId } }";

/** In the page. */
declare const report: (sessionId: string) => void;

/** The gateway must allow the origin of the pages. */
export function subscribeEventSource(pages: BrowserPages): Subscribe {
  return async (url, after, onSession) => {
    const page = await pages.open();
    await page.exposeFunction("report", onSession);
    const parameters = new URLSearchParams({ query: QUERY, variables: JSON.stringify({ after }) });
    await page.evaluate((address) => {
      const source = new EventSource(address);
      source.addEventListener("next", ({ data }) => report(JSON.parse(String(data)).data.callEnded.sessionId));
      source.addEventListener("error", () => source.readyState === EventSource.CLOSED && report("the end"));
    }, `${url}/graphql?${parameters}`);
    return { [Symbol.asyncDispose]: () => page.close() };
  };
}
