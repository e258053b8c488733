// Steps of a user in the page of an example app.
import type { Locator, Page } from "playwright-core";
import { keyOf } from "../../support/keys.ts";
import type { Stage } from "./stage.ts";

export async function useKey(page: Page, key: string): Promise<void> {
  await page.getByLabel("Key").fill(key);
  await page.keyboard.press("Enter");
}

export async function openAs(stage: Stage, viewer: string): Promise<Page> {
  const page = await stage.open();
  await useKey(page, keyOf(viewer));
  await seeText(page, "ended since, live");
  return page;
}

/** Waits until the page shows it; else the error says what the page shows. */
export async function see(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor().catch(async (cause: unknown) => {
    throw new Error(`The page shows: ${await page.innerText("main")}`, { cause });
  });
}

export const seeText = (page: Page, text: string): Promise<void> => see(page, page.getByText(text));

/** Ended calls for the sandbox, the newest first, a second apart. */
export function listedCalls(count: number, now: number) {
  return Array.from({ length: count }, (_, at) => ({ sessionId: `listed-${at}`, startAt: now - (at + 60) * 1000 }));
}

/** The session ids of the shown calls, from the top. */
export const sessionsIn = (page: Page): Promise<string[]> =>
  page.evaluate("[...document.querySelectorAll('tbody tr')].map((row) => row.dataset.session)");

const TASK = { name: "Reminders", assistantId: "11", lineId: "60", number: "+12025550101" };
const LABELS = { name: "Name", assistantId: "Assistant's ID", lineId: "Line's ID", number: "Phone number" } as const;

export async function createTaskInPage(page: Page, own: Partial<typeof TASK> = {}): Promise<void> {
  const values = { ...TASK, ...own };
  for (const name of ["name", "assistantId", "lineId", "number"] as const)
    await page.getByLabel(LABELS[name]).fill(values[name]);
  await page.getByRole("button", { name: "Create the task" }).click();
}

/** The next request whose body holds the text reaches the gateway, and its answer is lost: then the promise resolves. */
export async function loseAnswer(page: Page, text: string): Promise<{ lost: Promise<void> }> {
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  let isLost = false;
  // Unrouted, the request that waits would be sent again. So the route stays.
  await page.route("**/graphql", async (route) => {
    if (isLost || !route.request().postData()?.includes(text)) return route.fallback();
    isLost = true;
    await route.fetch();
    resolve();
  });
  return { lost };
}
