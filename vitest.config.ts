import { defineConfig } from "vitest/config";

/** They measure their process's memory, take over its handlers of errors, or close sockets after short pauses of the process. */
const ALONE = [
  "test/auth/credentialCache.test.ts",
  "test/client/streamEnds.test.ts",
  "test/graphql/subscriptions/boundedMemory.test.ts",
  "test/upstream/badAnswers.test.ts",
  "test/upstream/cachedTask.test.ts",
  "test/websocket/backpressure.test.ts",
];

/** They take longest, so they begin first: at the end of the run, one of them alone would leave a core idle. */
const LONG = [
  "test/client/{cutsAndRestarts,react/useTask}.test.ts",
  "test/doctor/command.test.ts",
  "test/durability/{commitOrder,flips,kill,postgresCrash,resume,rolling,storm}.test.ts",
  "test/e2e/{createAtTheEnd,createLargeTask,eventSource,graphiql,proxiedGateways,proxies,readmeCreate}.test.ts",
  "test/e2e/{reconcileTakeover,rollingProxies,submissions}.test.ts",
  "test/examples/*.test.ts",
  "test/oddServices/{answers,lists,webhooks}.test.ts",
  "test/package/image.test.ts",
  "test/recipes/resume.test.ts",
  "test/recordings/surviving.test.ts",
  "test/security/{heapForgets,largeBodies,longTurns,sharedAnswers,slow}.test.ts",
  "test/store/{postgres/postgres,sqlite/sqlite}.test.ts",
  "test/tasks/{correlationRounds,proposals/largeProposal}.test.ts",
];

const ALL = ["test/**/*.test.ts"];

export default defineConfig({
  // graphql 17 ships a development build under a condition that Vite takes by default: without this line the tests
  // and the libraries they load would each hold a graphql of their own. `import` is not named, for Node would then give
  // it to a require() as well.
  ssr: { resolve: { conditions: ["module-sync", "node"] } },
  test: {
    globalSetup: [
      "./test/support/temporarySetup.ts",
      "./test/support/compiledSetup.ts",
      "./test/support/postgres/postgresSetup.ts",
    ],
    setupFiles: ["./test/support/propertySeed.ts"],
    reporters: ["default", "./test/support/countReporter.ts"],
    // Tests wait more than they compute: on two cores one at a time, which is the default there, leaves both idle.
    maxWorkers: 4,
    // These only end what hangs: a machine that does much else takes its time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Vitest runs the projects in the order of their names. Files share a process and its modules (`isolate: false`), because
    // loading the sources anew for each file takes longer than most files' tests. Their programs are processes of their own.
    projects: [
      { extends: true, test: { name: "alone", include: ALONE } },
      { extends: true, test: { name: "long", include: LONG, isolate: false } },
      { extends: true, test: { name: "usual", include: ALL, exclude: [...ALONE, ...LONG], isolate: false } },
    ],
  },
});
