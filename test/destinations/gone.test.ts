import { describe } from "vitest";
import { postgres, sqlite } from "../store/databases.ts";
import { goneContract } from "./gone.ts";

describe("On SQLite", () => goneContract(sqlite));
describe("On PostgreSQL", () => goneContract(postgres));
