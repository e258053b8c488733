// An operation whose answer has not arrived yet, so that a test sees what a page shows meanwhile.
import type { Page } from "playwright-core";

/** Holds every request whose document or variables contain this text. `begun` resolves when the page has sent one. */
export async function holdOperation(page: Page, text: string) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/graphql", async (route) => {
    if (!route.request().postData()?.includes(text)) return route.fallback();
    begin();
    await released;
    // The page may have left meanwhile.
    return route.fallback().catch(() => undefined);
  });
  return { begun, release };
}
