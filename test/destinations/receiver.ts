// A receiver of webhooks on this machine, which remembers what came and answers as a test says.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { startFakeService } from "../support/fakeService.ts";

export interface Message {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  path: string;
}

export type Answer = (message: Message, response: ServerResponse, count: number) => void;

export interface Receiver {
  /** With a path. */
  url: string;
  host: string;
  /** In the order of their arrival. */
  messages: Message[];
  answerWith(answer: Answer): void;
}

export const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

export const status =
  (code: number, headers: Record<string, string> = {}, body = ""): Answer =>
  (_, response) =>
    void response.writeHead(code, headers).end(body);

export async function startReceiver(first: Answer = status(204)): Promise<Receiver> {
  let answer = first;
  const messages: Message[] = [];
  const server = await startFakeService(
    createServer((request, response) => {
      response.on("error", () => undefined);
      buffer(request).then(
        (body) => {
          const { headers, url = "" } = request;
          const message = { id: String(headers["webhook-id"]), headers, body: body.toString(), path: url };
          messages.push(message);
          answer(message, response, messages.length);
        },
        () => undefined,
      );
    }),
  );
  onTestFinished(() => server[Symbol.asyncDispose]());
  return {
    url: `${server.url}/hook`,
    host: new URL(server.url).host,
    messages,
    answerWith: (next) => void (answer = next),
  };
}
