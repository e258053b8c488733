// The client of a Switchboard gateway for browsers and for Node, Deno and Bun.
export interface SwitchboardClient {
  /** Ends all streams and sockets of the client. */
  close(): void;
}
