// Mercurius on Fastify with graphql-jit from the first time a query is seen, and DataLoader.
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import mercurius from "mercurius";
import { createContext, resolvers, typeDefs } from "./graph.ts";
import { serviceUrl, tellReady } from "./ready.ts";
import { createService } from "./service.ts";

const service = createService(serviceUrl);
const app = Fastify({ logger: false });
await app.register(mercurius, {
  schema: typeDefs,
  resolvers: resolvers as never,
  jit: 1,
  graphiql: false,
  context: () => createContext(service),
});
await app.listen({ host: "127.0.0.1", port: 0 });
tellReady((app.server.address() as AddressInfo).port);
