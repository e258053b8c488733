import { describe } from "vitest";
import { postgres, sqlite } from "../store/databases.ts";
import { failureContract } from "./failures.ts";

describe("On SQLite", () => failureContract(sqlite));
describe("On PostgreSQL", () => failureContract(postgres));
