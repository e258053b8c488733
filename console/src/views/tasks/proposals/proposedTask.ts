import type { SentTaskFragment } from "../../../gql/graphql.ts";

/** A submission that is or was a proposal. */
export type ProposedTask = SentTaskFragment & { proposal: NonNullable<SentTaskFragment["proposal"]> };
