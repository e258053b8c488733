import type { Client as Socket } from "graphql-ws";
import { useState } from "react";
import { Provider, useQuery } from "urql";
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
    <Provider value={client}>
      <Desk socket={socket} />
    </Provider>
  );
}

function Desk({ socket }: { socket: Socket }) {
  const [{ data, error }] = useQuery({ query: ViewerDocument });
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
