// Opens the scope of an execution: its context, and the requester that calls the service for it.
import type { Viewer } from "../auth/scopes.ts";
import type { Loaders } from "../loaders/loaders.ts";
import { restrictContext } from "../resolvers/access/restrictContext.ts";
import type { Context, KnownLoaders, Services, SubscriptionSource } from "../resolvers/context.ts";
import type { QueryOwnerOf } from "../store/scheduling/queryOwner.ts";
import type { Requester } from "../upstream/requester.ts";
import { trackSources, type AnswerSources } from "./answerSources.ts";
import type { ExecutionScope } from "./executor/executionResult.ts";

export interface ScopeOpenerDeps {
  services: Services;
  createLoaders: (requester: Requester) => Loaders;
  createKnownLoaders: () => KnownLoaders;
  /** Whether each result reports its requests to the service. */
  reportUsage: boolean;
}

export interface ScopeOptions {
  viewer: Viewer;
  createRequester: () => Requester;
  queryOwnerOf: QueryOwnerOf;
  /** Left out for executions that follow no log. */
  source?: SubscriptionSource | undefined;
  /** Left out where nobody needs to know what the answer is made of. */
  sources?: AnswerSources | undefined;
}

export type OpenScope = (options: ScopeOptions) => ExecutionScope;

/** The context and the requester are created when they are first used: some operations need neither. */
export function createScopeOpener(deps: ScopeOpenerDeps): OpenScope {
  const { services, createLoaders, createKnownLoaders, reportUsage } = deps;
  return ({ viewer, createRequester, queryOwnerOf, source = WITHOUT_SOURCE, sources }) => {
    let context: Context | undefined;
    let createdRequester: Requester | undefined;
    const requester = () => (createdRequester ??= createRequester());
    function createContext(): Context {
      const whole: Context = {
        ...services,
        viewer,
        source,
        loaders: createLoaders(requester()),
        known: createKnownLoaders(),
        queryOwner: queryOwnerOf(requester().signal),
      };
      const restricted = restrictContext(whole, viewer.access);
      return sources ? trackSources(restricted, sources) : restricted;
    }
    return {
      context: () => (context ??= createContext()),
      usage: reportUsage ? requester().usage : null,
    };
  };
}

const WITHOUT_SOURCE: SubscriptionSource = { after: null, eventStream: null, onHead: null };
