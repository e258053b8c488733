// Person: a person of another subgraph, by phone number. It leads from a CRM's customer to the customer's calls.
import {
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  type GraphQLInputType,
  type GraphQLOutputType,
} from "graphql";
import type { Context } from "../../resolvers/context.ts";
import { DEFAULT_DAYS, LAST_CALL_REQUESTS, lastCallOf, MAX_WRITINGS, personCalls } from "../../resolvers/person.ts";
import type { Person } from "../../resolvers/person.ts";
import { listFilter, marks, requests, needs, safeText } from "../builder.ts";
import { FIRST } from "../descriptions.ts";

interface PersonTypes {
  dateTime: GraphQLInputType;
  callLog: GraphQLOutputType;
  callLogConnection: GraphQLOutputType;
}

/** A page after a cursor asks for the one writing of the number that the cursor is of, and may read two pages. */
const callsRequests = ({ after }: { after?: string | null }) => (after == null ? MAX_WRITINGS : 2);

const ofPerson = listFilter(() => ({ phone: "the person's" }));

/** Every field needs people:read, so no number of it is masked. */
export function createPersonType({ dateTime, callLog, callLogConnection }: PersonTypes) {
  const range = new GraphQLInputObjectType({
    name: "CallRange",
    description: "The times of calls, cut to whole seconds. The service decides which of a call's times they apply to.",
    fields: {
      since: {
        type: dateTime,
        description: `The start. Default: the start of the day ${DEFAULT_DAYS} days ago; with until, the start of until's day.`,
      },
      until: { type: dateTime, description: "The end. Default: the end of today in the service's time zone." },
    },
  });
  return new GraphQLObjectType<Person, Context>({
    name: "Person",
    description: "A person of another subgraph, by phone number. Needs the scope people:read.",
    ...needs("people:read"),
    fields: {
      phone: {
        type: new GraphQLNonNull(GraphQLString),
        description: "The phone number as the other subgraph writes it, with or without country code.",
        ...safeText("The field needs people:read."),
        resolve: ({ personPhone }) => personPhone,
      },
      calls: {
        type: callLogConnection,
        description: `Calls from and to this number, in the service's order. Default: of the last ${DEFAULT_DAYS} days.`,
        ...marks(requests(callsRequests), ofPerson),
        args: {
          first: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 10, description: FIRST },
          after: {
            type: GraphQLString,
            description:
              "A cursor of the same list with the same other arguments. Null: the list begins at its first entry.",
          },
          range: { type: range, description: "Which times." },
        },
        resolve: (person, args, context) => personCalls(person, args as Parameters<typeof personCalls>[1], context),
      },
      lastCall: {
        type: callLog,
        description: `The call that started last, in the last ${DEFAULT_DAYS} days. Null where the service lists none.`,
        ...marks(requests(LAST_CALL_REQUESTS), ofPerson),
        resolve: (person, _, context) => lastCallOf(person, context),
      },
    },
  });
}
