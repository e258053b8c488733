// The route /graphql with known viewers, and defaults for everything else: no proxy, no GraphiQL, no limits.
import { noFailureLimit } from "../../src/auth/failureLimit.ts";
import { createBodyBudget } from "../../src/server/body/bodyBudget.ts";
import { createGraphqlRoute, type GraphqlRouteDeps } from "../../src/server/graphql/graphqlRoute.ts";
import { silentLog } from "../support/silentLog.ts";
import { noServerObserver } from "../../src/server/serverObserver.ts";
import { createOriginPolicy } from "../../src/server/originPolicy.ts";
import { createTimeSlices } from "../../src/util/timeSlices.ts";

type Asked = "pipeline" | "fastPath" | "admit" | "connectionQuota";

export function routeOf(own: Pick<GraphqlRouteDeps, Asked> & Partial<GraphqlRouteDeps>) {
  return createGraphqlRoute({
    caching: null,
    runAsCallback: async () => undefined,
    knowsViewers: true,
    trustedProxies: 0,
    graphiql: false,
    failureLimit: noFailureLimit,
    bodyBudget: createBodyBudget(),
    observer: noServerObserver,
    originPolicy: createOriginPolicy([], 0),
    slices: createTimeSlices(),
    log: silentLog,
    ...own,
  });
}
