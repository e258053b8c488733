// How the peers begin and end, as the bare programs do: they tell their address in one line; at SIGTERM they are gone.
export function tellReady(port: number): void {
  process.once("SIGTERM", () => process.exit(0));
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
}

/** The service's address: the first argument. */
export const serviceUrl = process.argv[2] ?? "http://127.0.0.1:9";
