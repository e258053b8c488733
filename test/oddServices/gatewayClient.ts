// Starts a gateway, queries it over HTTP, and reads lists page by page to their end.
import { startGateway as startTestGateway } from "../support/gateway.ts";
import { SERVICE_TOKEN, type Json } from "./service.ts";

export interface Fault {
  message: string;
  path?: (string | number)[];
  extensions: { code: string };
}

export interface Answer {
  data: Json | null;
  errors: Fault[];
}

export interface GatewayClient extends AsyncDisposable {
  ask(query: string, variables: Json): Promise<Answer>;
  /** Throws unless it answers 200 `{}`. */
  deliver(body: string): Promise<void>;
}

/** A gateway with its own database and a clock that stands still. */
export async function startGateway(
  service: { url: string },
  { zone, now }: { zone: string; now: number },
  env: Record<string, string> = {},
): Promise<GatewayClient> {
  const own = { UPSTREAM_TOKEN: SERVICE_TOKEN, UPSTREAM_TIME_ZONE: zone, LOG_LEVEL: "silent", ...env };
  const gateway = await startTestGateway(service, own, { clock: () => now });
  return {
    async ask(query, variables) {
      const { data, errors } = await gateway.ask(query, variables);
      return { data: data ?? null, errors: (errors ?? []) as Fault[] };
    },
    async deliver(body) {
      const response = await gateway.deliver(body);
      const text = await response.text();
      if (response.status !== 200 || text !== "{}")
        throw new Error(`The webhook was answered ${response.status} ${text}.`);
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

export interface WalkedPage {
  nodes: Json[];
  cursors: string[];
  totalCount: number;
  since: string;
  until: string;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  driftDetected: boolean;
  /** The requested size. */
  first: number;
  /** Errors of fields within its nodes; a path starts with the index of the node. */
  errors: Fault[];
}

export interface Walk {
  pages: WalkedPage[];
  /** What ended the walk before the list's end; null: the list was read to its end. */
  ended: Fault[] | "endless" | null;
}

/** One page after the cursor, or the errors. */
export type ReadPage = (first: number, after: string | null) => Promise<WalkedPage | Fault[]>;

/** The first pages have the requested size; the rest is read in large pages. */
const SMALL_PAGES = 4;
const MAX_PAGES = 20;

export async function walk(read: ReadPage, first: number, given?: WalkedPage | Fault[]): Promise<Walk> {
  const pages: WalkedPage[] = [];
  let page = given ?? (await read(first, null));
  for (;;) {
    if (Array.isArray(page)) return { pages, ended: page };
    pages.push(page);
    if (!page.hasNextPage) return { pages, ended: null };
    const after = page.cursors.at(-1);
    if (after === undefined || pages.length > MAX_PAGES) return { pages, ended: "endless" };
    page = await read(pages.length < SMALL_PAGES ? first : 100, after);
  }
}

/** The connection at this path of an answer, or its errors. */
export function pageAt(
  { data, errors }: Answer,
  path: readonly (string | number)[],
  first: number,
): WalkedPage | Fault[] {
  let value: unknown = data;
  for (const step of path) value = value === null || value === undefined ? null : (value as Json)[step];
  const below = errors.filter((fault) =>
    path.every((step, at) => (fault.path ?? path)[at] === step || at >= (fault.path?.length ?? 0)),
  );
  if (value === null || value === undefined) return below;
  const { edges, pageInfo, ...rest } = value as Json & { edges: { cursor: string; node: Json }[]; pageInfo: Json };
  const inNodes = below.map((fault) => ({
    ...fault,
    path: (fault.path ?? []).slice(path.length).filter((step) => step !== "edges" && step !== "node"),
  }));
  return {
    ...(rest as unknown as Pick<WalkedPage, "totalCount" | "since" | "until" | "driftDetected">),
    ...(pageInfo as unknown as Pick<WalkedPage, "hasNextPage" | "hasPreviousPage">),
    nodes: edges.map(({ node }) => node),
    cursors: edges.map(({ cursor }) => cursor),
    first,
    errors: inNodes,
  };
}
