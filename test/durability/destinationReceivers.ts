// Receivers of destinations that are kinder and unkinder: one takes everything, one fails at random, one is away at first.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { startFakeService } from "../support/fakeService.ts";

export const manners = ["right", "random", "away"] as const;
export type Manner = (typeof manners)[number];

/** What came, in the order of arrival, whether it was answered with 2xx or not. */
export interface Arrival {
  id: string;
  sessionId: string;
  isTaken: boolean;
}

export interface Receivers extends AsyncDisposable {
  host: string;
  urlOf(destination: string): string;
  /** By the name of a destination, which is `${manner}-${order}`. */
  arrivals(destination: string): readonly Arrival[];
  /** From now on the one that is away takes everything. */
  comeBack(): void;
}

/** As receivers fail: an error, a pause that was asked for, a redirect, an answer that is lost after the event was taken, no end. */
const failures: readonly ((response: ServerResponse) => void)[] = [
  (response) => void response.writeHead(500).end("not now"),
  (response) => void response.writeHead(429, { "retry-after": "0" }).end(),
  (response) => void response.writeHead(302, { location: "/elsewhere" }).end(),
  (response) => void response.destroy(),
  (response) => void response.writeHead(503, { "content-length": "10" }).end("short", () => response.destroy()),
];
const FAILING_SHARE = 0.2;

interface Body {
  data: { sessionId: string };
}

export async function startReceivers(): Promise<Receivers> {
  const arrivals = new Map<string, Arrival[]>();
  let isAway = true;
  const listOf = (destination: string) => {
    const list = arrivals.get(destination) ?? [];
    arrivals.set(destination, list);
    return list;
  };
  function take(destination: string, headers: IncomingHttpHeaders, { data }: Body, response: ServerResponse): void {
    const isTaken = !destination.startsWith("random") || Math.random() >= FAILING_SHARE;
    listOf(destination).push({ id: String(headers["webhook-id"]), sessionId: data.sessionId, isTaken });
    if (isTaken) response.writeHead(204).end();
    else failures[Math.floor(Math.random() * failures.length)]?.(response);
  }
  const server = createServer((request, response) => {
    const destination = request.url?.slice(1) ?? "";
    if (isAway && destination.startsWith("away")) {
      request.destroy();
      return;
    }
    response.on("error", () => undefined);
    json(request).then(
      (body) => take(destination, request.headers, body as Body, response),
      () => undefined,
    );
  });
  const { url, [Symbol.asyncDispose]: dispose } = await startFakeService(server);
  return {
    host: new URL(url).host,
    urlOf: (destination) => `${url}/${destination}`,
    arrivals: listOf,
    comeBack: () => void (isAway = false),
    [Symbol.asyncDispose]: dispose,
  };
}
