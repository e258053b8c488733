// Runs in a browser's page, for stockClients.test.ts.
import { stockRequests } from "./stockRequests.ts";

Object.assign(globalThis, { stockPage: stockRequests });
