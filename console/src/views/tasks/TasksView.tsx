// The tasks, or the form for a new one. Details of a task stand beside the list.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { View } from "../../frame/View.tsx";
import { useTexts } from "../../locale/Locale.tsx";
import { Drawer } from "../../ui/drawer/Drawer.tsx";
import { TaskDetails } from "./details/TaskDetails.tsx";
import { TaskList } from "./list/TaskList.tsx";
import { texts } from "./texts/texts.ts";

export function TasksView() {
  const t = useTexts(texts);
  const { task } = useSearch({ from: "/tasks" });
  const navigate = useNavigate();
  const close = () => void navigate({ to: "/tasks", search: {} });
  return (
    <View title={t.title}>
      <TaskList openTask={task ?? null} />
      <Drawer title={t.task} closeLabel={t.close} shown={task ?? null} onClose={close}>
        {(taskId) => <TaskDetails key={taskId} taskId={taskId} />}
      </Drawer>
    </View>
  );
}
