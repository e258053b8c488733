import { defineConfig } from "vitest/config";

export default defineConfig({
  // graphql 17 ships a development build under a condition that Vite takes by default: without this line the tests
  // and the libraries they load would each hold a graphql of their own. `import` is not named, for Node would then give
  // it to a require() as well.
  ssr: { resolve: { conditions: ["module-sync", "node"] } },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["./test/support/postgres/postgresSetup.ts"],
    reporters: ["default", "./test/support/countReporter.ts"],
    // Tests wait more than they compute: on two cores one at a time, which is the default there, leaves both idle.
    maxWorkers: 3,
    // These only end what hangs: a machine that does much else takes its time.
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
});
