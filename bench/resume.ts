// Cuts each client's connections at random places and restarts the gateway while events are written. Every client must receive
// each event once and in order: switchboard-client in Node and in Chromium, Chromium's own EventSource, and the recipes for stock
// clients.
import { serveClientPage, subscribeInBrowser, subscribeInNode } from "../test/client/subscriptions.ts";
import { subscribeEventSource } from "../test/frontends/eventSource.ts";
import { subscriptions } from "../test/recipes/subscriptions.ts";
import { hasChromium } from "../test/support/browserPage.ts";
import { subscribeThroughCuts, type Plan, type Subscribe } from "../test/support/resume.ts";
import type { Effort } from "./support/effort.ts";
import { countOrderedEvents, isComplete } from "./support/eventCounts.ts";

const CLIENT = { cuts: 1000, events: 10_000, restarts: 20 };
const RECIPE = { cuts: 100, events: 1000, restarts: 10 };
/** A browser waits for one to three seconds before it reconnects. */
const EVENT_SOURCE = { cuts: 50, events: 1000, restarts: 10 };
const TRANSPORTS = ["WebSocket", "server-sent events"] as const;

export async function benchResume({ resumeShare }: Effort): Promise<void> {
  const incomplete: string[] = [];
  const measure = async (name: string, subscribe: Subscribe, plan: typeof CLIENT, env = {}) => {
    const of = (count: number) => Math.ceil(count * resumeShare);
    const { cuts, events, restarts } = plan;
    const isWhole = await follow(name, subscribe, {
      cuts: of(cuts),
      events: of(events),
      restarts: of(restarts),
      seed: 3,
      env,
    });
    if (!isWhole) incomplete.push(name);
  };
  for (const transport of TRANSPORTS)
    await measure(`switchboard-client, Node, ${transport}`, subscribeInNode(transport), CLIENT);
  if (hasChromium) await measureInBrowser(measure);
  else console.log("  There is no Chromium on this machine.");
  for (const [name, subscribe] of Object.entries<Subscribe>(subscriptions))
    await measure(`the recipe for ${name}`, subscribe, RECIPE);
  if (incomplete.length > 0) throw new Error(`Events are missing, repeated or misplaced: ${incomplete.join("; ")}.`);
}

type Measure = (name: string, subscribe: Subscribe, plan: typeof CLIENT, env?: object) => Promise<void>;

async function measureInBrowser(measure: Measure): Promise<void> {
  await using pages = await serveClientPage();
  const env = { CORS_ORIGINS: pages.origin };
  for (const transport of TRANSPORTS)
    await measure(`switchboard-client, Chromium, ${transport}`, subscribeInBrowser(pages, transport), CLIENT, env);
  await measure("EventSource, Chromium", subscribeEventSource(pages), EVENT_SOURCE, env);
}

/** Prints what one client received. Returns whether it was everything, once and in order. */
async function follow(name: string, subscribe: Subscribe, plan: Plan): Promise<boolean> {
  const began = performance.now();
  const { stored, received, cuts, endings } = await subscribeThroughCuts(subscribe, plan);
  const counts = countOrderedEvents(stored, received);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const { found, missing, twice, misplaced } = counts;
  console.log(
    `  ${name}: ${cuts.streams} cut streams (${cuts.atByte} connections at a drawn byte), ${endings.length} restarts, ${stored.length} events, ${seconds} s\n` +
      `    received ${found}, missing ${missing}, twice ${twice}, misplaced ${misplaced}`,
  );
  return isComplete(counts) && stored.length === plan.events;
}
