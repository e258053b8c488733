// What stock clients do with their own defaults: each asks one query, or waits for calls.
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { cacheExchange, Client, fetchExchange } from "urql";

const QUERY = "query Zone { serviceTimeZone }";

export interface StockRequests {
  urql(url: string, fetch?: typeof globalThis.fetch): Promise<unknown>;
  apollo(url: string, options: { useGETForQueries: boolean; fetch?: typeof globalThis.fetch }): Promise<unknown>;
  /** Resolves when the stream is open. Its events are in `received`. */
  eventSource(url: string, query: string): Promise<void>;
  received: unknown[];
}

export const stockRequests: StockRequests = {
  async urql(url, fetch = globalThis.fetch) {
    const { data, error } = await new Client({ url, fetch, exchanges: [cacheExchange, fetchExchange] })
      .query(QUERY, {})
      .toPromise();
    return data ?? error?.message;
  },
  async apollo(uri, options) {
    const link = new HttpLink({ uri, ...options });
    const clientAwareness = { name: "dashboard", version: "1.2.3" };
    const client = new ApolloClient({ link, cache: new InMemoryCache(), clientAwareness });
    const { data, error } = await client.query({ query: gql(QUERY) });
    return data ?? error?.message;
  },
  eventSource: (url, query) =>
    new Promise((resolve, reject) => {
      const source = new EventSource(`${url}?query=${encodeURIComponent(query)}`);
      source.addEventListener("open", () => resolve());
      source.addEventListener("error", () => reject(new Error("The stream was refused.")));
      source.addEventListener("next", ({ data }) => stockRequests.received.push(JSON.parse(String(data))));
    }),
  received: [],
};
