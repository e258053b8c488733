// Runs in a browser's page: queries of stock clients by GET, and a recording that the page reads itself. It gives the page
// functions that the test calls.
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { Client, fetchExchange } from "@urql/core";

const QUERY = "query Zone { serviceTimeZone }";

export interface StockClients {
  urql(url: string, headers: Record<string, string>): Promise<unknown>;
  apollo(url: string, headers: Record<string, string>): Promise<unknown>;
  /** The bytes of a range, the headers that the page may read, and the seconds of the whole sound, from its samples. */
  recording(url: string): Promise<{ part: number; range: string | null; seconds: number; played: number }>;
}

const clients: StockClients = {
  async urql(url, headers) {
    const client = new Client({
      url: `${url}/graphql`,
      exchanges: [fetchExchange],
      preferGetMethod: "force",
      fetchOptions: { headers },
    });
    const { data, error } = await client.query(QUERY, {}).toPromise();
    return error?.message ?? (data as unknown);
  },
  async apollo(url, headers) {
    const link = new HttpLink({ uri: `${url}/graphql`, useGETForQueries: true, headers });
    const clientAwareness = { name: "dashboard", version: "1.2.3" };
    const client = new ApolloClient({ cache: new InMemoryCache(), link, clientAwareness });
    return client.query({ query: gql(QUERY) }).then(
      ({ data }) => data,
      (error: Error) => error.message,
    );
  },
  async recording(url) {
    const part = await fetch(url, { headers: { range: "bytes=0-99" } });
    const whole = await fetch(url);
    const sound = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(await whole.arrayBuffer());
    const audio = Object.assign(new Audio(), { crossOrigin: "anonymous", src: url });
    await new Promise((resolve, reject) => Object.assign(audio, { onloadedmetadata: resolve, onerror: reject }));
    return {
      part: (await part.arrayBuffer()).byteLength,
      range: part.headers.get("content-range"),
      seconds: sound.duration,
      played: audio.duration,
    };
  },
};
Object.assign(globalThis, { clients });
