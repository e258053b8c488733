// A real HTTP server whose answers a test writes, one for each request.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScriptedRequest {
  headers: IncomingHttpHeaders;
  body: { query: string; variables?: Record<string, never> };
}

export type ScriptedAnswer = (response: ServerResponse, request: ScriptedRequest) => void;

export interface ScriptedServer extends AsyncDisposable {
  url: string;
  requests: ScriptedRequest[];
}

/** The last answer is repeated. */
export async function scriptedServer(...answers: ScriptedAnswer[]): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = [];
  const server = createServer((incoming, response) => {
    let text = "";
    incoming.on("data", (chunk: Buffer) => (text += chunk.toString()));
    incoming.on("end", () => {
      const request = { headers: incoming.headers, body: JSON.parse(text) as ScriptedRequest["body"] };
      requests.push(request);
      const answer = answers[Math.min(requests.length, answers.length) - 1] as ScriptedAnswer;
      answer(response, request);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): ScriptedAnswer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

export function text(body: string, status: number, headers: Record<string, string> = {}): ScriptedAnswer {
  return (response) => {
    response.writeHead(status, { "content-type": "text/html", ...headers }).end(body);
  };
}

/** The request arrived, and the connection breaks before the answer. */
export const reset: ScriptedAnswer = (response) => {
  response.socket?.resetAndDestroy();
};

export function graphError(code: string, extensions: Record<string, unknown> = {}): object {
  return { message: `It is ${code}.`, extensions: { code, requestId: "request-1", ...extensions } };
}
