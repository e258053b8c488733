import { describeApp } from "./support/describeApp.ts";

describeApp("react-relay");
