import { describe } from "vitest";
import { postgres, sqlite } from "../store/databases.ts";
import { handoverContract } from "./handover.ts";

describe("On SQLite", () => handoverContract(sqlite));
describe("On PostgreSQL", () => handoverContract(postgres));
