// One PostgreSQL for a run of the tests, each of which has a database of its own in it (postgres.ts).
import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgresServer.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres({ fsync: false });
  project.provide("postgresUrl", server.url);
  return async () => {
    await server[Symbol.asyncDispose]();
  };
}
