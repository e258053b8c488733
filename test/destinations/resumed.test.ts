import { describe } from "vitest";
import { postgres, sqlite } from "../store/databases.ts";
import { resumeContract } from "./resumed.ts";

describe("On SQLite", () => resumeContract(sqlite));
describe("On PostgreSQL", () => resumeContract(postgres));
