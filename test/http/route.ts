// The route of /graphql for whoever knows viewers, with what a test does not ask about left out: no proxy, no page, no limits.
import { noRefusals } from "../../src/auth/refusals.ts";
import { createBodyBudget } from "../../src/http/bodyBudget.ts";
import { createGraphqlRoute, type GraphqlRouteDeps } from "../../src/http/graphqlRoute.ts";
import { silentLog } from "../../src/log.ts";
import { createMeters } from "../../src/meters.ts";
import { createSlices } from "../../src/slices.ts";

type Asked = "pipeline" | "fastPath" | "admit" | "places";

export function routeOf(own: Pick<GraphqlRouteDeps, Asked> & Partial<GraphqlRouteDeps>) {
  return createGraphqlRoute({
    knowsViewers: true,
    trustedProxies: 0,
    graphiql: false,
    refusals: noRefusals,
    bodies: createBodyBudget(),
    meters: createMeters(),
    slices: createSlices(),
    log: silentLog,
    ...own,
  });
}
