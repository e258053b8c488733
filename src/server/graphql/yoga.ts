// Answers in one piece by Yoga, which chooses their media type and the status of an error. It runs nothing.
import { createYoga, type Plugin } from "graphql-yoga";
import type { ExecutionResult } from "graphql";
import { setHeaders } from "../securityHeaders.ts";
import type { Exchange } from "./exchange.ts";

export type WriteByYoga = (result: ExecutionResult, exchange: Exchange) => Promise<void>;

interface Context {
  result: ExecutionResult;
}

const URL = "http://gateway/graphql";

export function createYogaWriter(): WriteByYoga {
  const yoga = createYoga<Context>({
    // graphiqlPage.ts serves it.
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
    cors: false,
    maskedErrors: false,
    parserAndValidationCache: false,
    logging: false,
    plugins: [answerWithResult],
  });
  return async (result, { response, accepted, headers }) => {
    const answer = await yoga.fetch(URL, { method: "POST", headers: { accept: accepted.text } }, { result });
    const body = await answer.text();
    setHeaders(response, headers);
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    response.statusCode = answer.status;
    response.end(body);
  };
}

/** Yoga reads no request: graphqlRoute.ts has. */
const answerWithResult: Plugin<Context> = {
  onRequestParse({ setRequestParser }) {
    setRequestParser(() => ({ query: "" }));
  },
  onParams({ setParamsHandler }) {
    setParamsHandler(({ context }) => (context as unknown as Context).result);
  },
};
