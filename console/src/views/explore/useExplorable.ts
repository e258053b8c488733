// Whether the gateway serves GraphiQL. It does where a document that is not in the console's manifest may ask for types.
import { useCallback, useEffect, useState } from "react";
import type { SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";

export type Explorable = "asking" | "yes" | "introspectionOff" | "trustedOnly" | { failed: string };

/** Not in documents.ts: a manifest of trusted documents must not hold it. */
const INTROSPECTION = "{ __schema { queryType { name } } }";

export function useExplorable(): { explorable: Explorable; ask: () => void } {
  const client = useSwitchboard();
  const [explorable, setExplorable] = useState<Explorable>("asking");
  const ask = useCallback(() => {
    setExplorable("asking");
    client.query(INTROSPECTION).then(
      () => setExplorable("yes"),
      ({ code }: SwitchboardError) => setExplorable(readRefusal(code)),
    );
  }, [client]);
  useEffect(ask, [ask]);
  return { explorable, ask };
}

function readRefusal(code: string): Explorable {
  if (code === "DOCUMENT_NOT_TRUSTED") return "trustedOnly";
  return code === "GRAPHQL_VALIDATION_FAILED" ? "introspectionOff" : { failed: code };
}
