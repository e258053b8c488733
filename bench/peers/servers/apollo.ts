// Apollo Server 5 as its standalone guide sets it up, with DataLoader.
import { ApolloServer } from "@apollo/server";
import { startStandaloneServer } from "@apollo/server/standalone";
import { createContext, resolvers, typeDefs, type Context } from "./graph.ts";
import { serviceUrl, tellReady } from "./ready.ts";
import { createService } from "./service.ts";

const service = createService(serviceUrl);
const server = new ApolloServer<Context>({
  typeDefs,
  resolvers: resolvers as never,
  nodeEnv: "production",
  stopOnTerminationSignals: false,
});
const { url } = await startStandaloneServer(server, {
  listen: { host: "127.0.0.1", port: 0 },
  context: async () => createContext(service),
});
tellReady(Number(new URL(url).port));
