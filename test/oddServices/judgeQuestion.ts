// Asks a gateway one question and judges the answer.
import { judgeCallLog } from "./judgeCalls.ts";
import { judgeEvents, judgeStats } from "./judgeEvents.ts";
import { emptyVerdict, type Verdict } from "./judge.ts";
import { judgeList, judgeOneTask, judgeTasksByIds, listReader, taskReader } from "./judgeLists.ts";
import type { Question } from "./questions.ts";
import type { TestBed } from "./examine.ts";

export async function judgeQuestion(question: Question, testBed: TestBed): Promise<Verdict & { shown: unknown }> {
  const verdict = emptyVerdict();
  const shown = await askAndJudge(question, testBed, verdict);
  return { ...verdict, shown };
}

function askAndJudge(question: Question, testBed: TestBed, verdict: Verdict): Promise<object> {
  const { gateway, world } = testBed;
  if (question.ask === "callLogs") {
    const { first, filter, jump, joined } = question;
    const read = listReader(gateway, joined);
    const list = {
      read: (many: number, after: string | null) => read(filter, many, after),
      first,
      jump,
      filter,
      joined,
    };
    return judgeList(list, testBed, verdict);
  }
  if (question.ask === "taskCallLogs") {
    const { taskId, first, filter, jump } = question;
    const task = world.tasks.find(({ id }) => id === taskId);
    return judgeList({ read: taskReader(gateway, taskId, filter), first, jump, filter, task }, testBed, verdict);
  }
  if (question.ask === "tasksByIds") return judgeTasksByIds(question, testBed, verdict);
  if (question.ask === "task") return judgeOneTask(question.taskId, testBed, verdict);
  if (question.ask === "callLog") return judgeCallLog(question, testBed, verdict);
  if (question.ask === "callStats") return judgeStats(question, testBed, verdict);
  return judgeEvents(question, testBed, verdict);
}
