// GraphQL Yoga as its guide sets it up, with DataLoader.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSchema, createYoga } from "graphql-yoga";
import { createContext, resolvers, typeDefs } from "./graph.ts";
import { serviceUrl, tellReady } from "./ready.ts";
import { createService } from "./service.ts";

const service = createService(serviceUrl);
const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers: resolvers as never }),
  context: () => createContext(service),
  logging: false,
});
const server = createServer((request, response) => void yoga(request, response));
server.listen(0, "127.0.0.1", () => tellReady((server.address() as AddressInfo).port));
