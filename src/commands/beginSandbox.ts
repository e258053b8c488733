// Begins the sandbox beside a gateway that listens. The sandbox tells a new gateway of days of calls, and one that was away of the calls
// that it missed. Beside a new one, a task waits for an approval.
import { setTimeout } from "node:timers/promises";
import type { ExecutionResult } from "graphql";
import type { Sandbox, Told } from "../../sandbox/src/sandbox.ts";
import { lastingGrant } from "../auth/grant.ts";
import type { Scope } from "../auth/scopes.ts";
import { unrestricted } from "../auth/viewerPolicy.ts";
import type { Config } from "../config/config.ts";
import { epochMsOf, type Instant } from "../format/instant.ts";
import type { Gateway } from "../gateway.ts";
import type { Logger } from "../logger.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { firstProposal } from "./firstProposal.ts";

type Deps = { config: Pick<Config, "auth" | "sandbox" | "reconcile" | "trustedDocuments">; log: Logger };

const NEWEST = "{ callEndedEvents(first: 1, order: NEWEST_FIRST) { nodes { endAt } } }";
const PROPOSE = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { errors { code message } } }";
/** The last search before the gateway stopped may be older than its last event by this. */
const MARGIN_MS = 5 * MINUTE_MS;

/** The first requests to the gateway go before its history. */
const BEGIN_AFTER_MS = 300;

/** Resolves when the sandbox has told everything, or stops. Logs what fails: the sandbox begins all the same. */
export async function beginSandbox(sandbox: Sandbox, gateway: Gateway, { config, log }: Deps): Promise<void> {
  const warn = (err: unknown) => {
    log.warn({ err }, "the sandbox begins without all of its history or its proposal");
    return null;
  };
  await setTimeout(BEGIN_AFTER_MS, undefined, { ref: false });
  const begin = async () => sandbox.begin(await findUntold().catch(warn));
  await Promise.all([begin().catch(warn), proposeFirst().catch(warn)]);

  /** Where there are keys, their holders propose. */
  async function proposeFirst(): Promise<void> {
    if (!gateway.hasNewDatabase || !isOpen(config)) return;
    const input = firstProposal(sandbox.now(), config.sandbox.timeZone);
    const { createTask } = await run<Proposed>(gateway, "tasks:propose", PROPOSE, { input });
    const [refusal] = createTask?.errors ?? [];
    if (refusal) throw new Error(`The first proposal was refused: ${refusal.message}`);
  }
  async function findUntold(): Promise<Told | null> {
    const searchedBefore = config.reconcile.lookbackMs + MARGIN_MS;
    if (gateway.hasNewDatabase) return { after: 0, searchedFrom: sandbox.now() - searchedBefore };
    if (!isOpen(config)) return null;
    const { callEndedEvents } = await run<Newest>(gateway, "calls:read", NEWEST, {});
    // The sandbox tells calls in the order of their ends. With SANDBOX_SPEED, the clock of the run before was ahead.
    const newest = callEndedEvents.nodes[0]?.endAt;
    const after = newest ? Math.min(epochMsOf(newest), sandbox.now()) : 0;
    return { after, searchedFrom: (newest ? after : sandbox.now()) - searchedBefore };
  }
}

interface Proposed {
  createTask: { errors: { code: string; message: string }[] } | null;
}
interface Newest {
  callEndedEvents: { nodes: { endAt: Instant | null }[] };
}

/** Whether any document runs, and no key is needed. */
const isOpen = ({ auth, trustedDocuments }: Deps["config"]): boolean =>
  auth.kind === "open" && trustedDocuments === null;

/**
 * Runs a document through the pipeline, for a viewer that holds one scope: the viewer of a gateway without keys holds all, so that none of
 * its tasks would wait. Throws its first error.
 */
async function run<T>({ operations }: Gateway, scope: Scope, query: string, variables: object): Promise<T> {
  const viewer = { name: "planner", scopes: new Set([scope]), ...unrestricted };
  const operation = operations.prepare({ query, variables }, lastingGrant(viewer));
  if ("errors" in operation) throw operation.errors[0] as Error;
  const { data, errors } = (await operation.run(null)) as ExecutionResult;
  if (errors?.[0]) throw errors[0];
  return data as T;
}
