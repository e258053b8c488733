// Runs in a browser's page: puts the client into the page's globals.
import { followTransport } from "./followTransport.ts";

Object.assign(globalThis, { followTransport });
