import { ApolloProvider, useQuery } from "@apollo/client/react";
import type { Client } from "graphql-ws";
import { useState } from "react";
import { Errors } from "../../shared/Errors.tsx";
import { KeyForm, useKey } from "../../shared/KeyForm.tsx";
import { CallList } from "./CallList.tsx";
import { connect } from "./connect.ts";
import { errorsOf } from "./errors.ts";
import { NewTask } from "./NewTask.tsx";
import { ViewerDocument } from "./operations.ts";

const GATEWAY_URL = import.meta.env.VITE_GATEWAY_URL ?? "http://127.0.0.1:4000";

export function App() {
  const [key, saveKey] = useKey();
  return (
    <main>
      <h1>Calls</h1>
      <KeyForm onKey={saveKey} />
      {key !== null && <Session key={key} gatewayKey={key} />}
    </main>
  );
}

/** Another key gets a client of its own, so no answer of the former viewer is left in a cache. */
function Session({ gatewayKey }: { gatewayKey: string }) {
  const [{ client, socket }] = useState(() => connect(GATEWAY_URL, gatewayKey));
  return (
    <ApolloProvider client={client}>
      <Desk socket={socket} />
    </ApolloProvider>
  );
}

function Desk({ socket }: { socket: Client }) {
  const { data, error } = useQuery(ViewerDocument);
  if (!data?.viewer) return <Errors errors={errorsOf(error)} />;
  const { name, scopes } = data.viewer;
  return (
    <>
      <p>
        Signed in as {name} ({scopes.join(", ")}).
      </p>
      <CallList socket={socket} />
      {scopes.includes("tasks:create") && <NewTask viewer={name} />}
    </>
  );
}
