// What the graph says of a destination's filter and fields: they are checked as those of an operation.
import { GraphQLError, parse, validate, validateExecutionArgs } from "graphql";
import type { Scope } from "../auth/scopes.ts";
import type { DestinationsConfig } from "../config/destinationsConfig.ts";
import type { DestinationRules } from "../destinations/destinationFile.ts";
import { CodedError } from "../errors.ts";
import { findDenied } from "../graphql/policy/authorize.ts";
import { eventFilter, type CallEndedFilter } from "../resolvers/callEnded.ts";
import { documentFault, sourceFault, sourceOf, type DocumentRules } from "./destinationDocument.ts";
import { createHostRules, type HostRules } from "../upstream/outside/hostRules.ts";

export const destinationHosts = ({ hosts }: DestinationsConfig): HostRules =>
  createHostRules(hosts, [], "DESTINATION_HOSTS");

export interface DestinationRuleDeps extends DocumentRules {
  hosts: HostRules;
  keepsBodies: boolean;
}

export function createDestinationRules({ hosts, keepsBodies, ...documents }: DestinationRuleDeps): DestinationRules {
  const { schema } = documents;
  /** The operation with its coerced variables, or what is wrong with it. */
  function check(selection: string, filter: unknown, held: readonly string[]) {
    const source = `query ($filter: CallEndedFilter) { callEndedEvents(filter: $filter) { nodes { ${selection} } } }`;
    try {
      const document = parse(source);
      if (document.definitions.length > 1) return { fault: NOT_FIELDS };
      const [fault] = validate(schema, document, undefined, { hideSuggestions: true });
      if (fault) return { fault: fault.message };
      const args = validateExecutionArgs({ schema, document, variableValues: { filter }, hideSuggestions: true });
      if (!("operation" in args)) return { fault: ruleOf(args[0]?.message ?? "is not valid") };
      const scopes = new Set(held) as ReadonlySet<Scope>;
      const denied = findDenied(args, { name: "", scopes, limits: null, access: null });
      if (denied) return { fault: `${denied.field} needs the scope ${denied.scope}` };
      return { filter: args.variableValues.coerced["filter"] };
    } catch (error) {
      if (error instanceof GraphQLError) return { fault: NOT_FIELDS };
      throw error;
    }
  }
  return {
    hosts,
    keepsBodies,
    selectionFault(selection, held) {
      const { fault } = check(selection, null, held);
      return fault ?? sourceFault(sourceOf({ selection, scopes: held as Scope[] }), held, documents);
    },
    documentFault: (id, held) => documentFault(id, held, documents),
    readFilter(filter, held) {
      const checked = check("id", filter, held);
      if (checked.fault !== undefined) return { fault: checked.fault };
      try {
        return { filter: eventFilter(checked.filter as CallEndedFilter) };
      } catch (error) {
        if (error instanceof CodedError) return { fault: error.message };
        throw error;
      }
    },
  };
}

const NOT_FIELDS = "is not a list of fields of CallEnded";

/** `Variable "$filter" has invalid value at .direction: Value …` → `is not valid at direction` */
function ruleOf(message: string): string {
  const [, at] = /invalid value at \.([\w.[\]]+)/.exec(message) ?? [];
  const [, unknown] = /unexpected field "(\w+)"/i.exec(message) ?? [];
  if (unknown !== undefined) return `has no member ${unknown}`;
  return at === undefined ? "is not a CallEndedFilter" : `is not valid at ${at}`;
}
