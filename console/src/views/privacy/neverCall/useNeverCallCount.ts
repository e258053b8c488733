import { useQuery } from "../../../data/useQuery.ts";
import { neverCallCountDocument } from "../documents.ts";

const NO_VARIABLES = {};

export const useNeverCallCount = () => useQuery(neverCallCountDocument, NO_VARIABLES);
export type NeverCallCount = ReturnType<typeof useNeverCallCount>;
