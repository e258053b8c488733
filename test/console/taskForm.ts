// The form of a new task, as a user fills it in.
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { TIME_ZONE } from "../support/sandbox.ts";

/** Two people, and three rows that nobody can be phoned by. */
export const TABLE = [
  "号码,姓名,性别,销售姓名",
  "+12025550111,Li,男,Han",
  "+12025550112,Wang,女,",
  "+1 202-555-0111,Again,,",
  "1.38E+10,Rounded,,",
  "nobody,Bad,,",
].join("\n");

const day = new Intl.DateTimeFormat("sv-SE", { timeZone: TIME_ZONE }).format();
/** What is missing to ten o'clock of this day at the service, so that none of its days ends soon. */
export const TEN_O_CLOCK = Date.parse(`${day}T10:00:00+08:00`) - Date.now();

/** Everything but the confirmation. */
export async function fillForm(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("combobox", { name: "Assistant" }).selectOption("11");
  await page.getByRole("checkbox", { name: "North (61)" }).check();
  await page.getByLabel("Table of phone numbers").fill(TABLE);
  // The browser's day may have ended since the service's began.
  await page.getByLabel("First day").fill(day);
  await page.getByLabel("From").fill("00:00");
  await page.getByLabel("Until").fill("23:59");
}

export async function confirm(page: Page): Promise<void> {
  await page.getByLabel("Type 2 to confirm").fill("2");
  await page.getByRole("button", { name: "Phone 2 people" }).click();
}

/** The requests that created a task at the service. */
export const creationsAt = ({ control }: Sandbox) =>
  control.requests().filter(({ method, path }) => method === "POST" && path === "/openapi/tasks");

export type Failure = { kind: "latency"; ms: number } | { kind: "status"; status: number };

export function failCreationOnce({ control }: Sandbox, how: Failure): void {
  control.addFault({ match: { method: "POST", path: "/openapi/tasks" }, times: 1, ...how });
}

/** Keeps the check of a table from its start, so that it cannot end before a click. */
export async function holdCheck(page: Page) {
  const script = /numberCheck\.worker/;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(script, (route) => released.then(() => route.continue()).catch(() => undefined));
  return {
    begun: page.waitForRequest(script),
    async release() {
      release();
      await page.unroute(script);
    },
  };
}

/** Calls and answered calls in all hours of the heat map: on a slow machine, an hour of a fast sandbox ends between two calls. */
export async function heatMapSums(details: Locator): Promise<[number, number]> {
  const texts = await details.getByText(/^\d+ calls?, \d+ answered, answer rate \d/).allTextContents();
  const cells = texts.map((text) => text.match(/\d+/g)?.map(Number) ?? []);
  return [sum(cells.map(([calls = 0]) => calls)), sum(cells.map(([, answered = 0]) => answered))];
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Windows in which the view must have no fault. */
export const windows: [string, BrowserContextOptions][] = [
  ["in a wide, light window", {}],
  [
    "in a window of 360 px, dark and in Chinese",
    { viewport: { width: 360, height: 740 }, colorScheme: "dark", locale: "zh-CN" },
  ],
];
