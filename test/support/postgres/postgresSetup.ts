// Starts one PostgreSQL server for a test run. Each test creates its own database in it (postgres.ts).
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
