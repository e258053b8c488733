// Which column of a table holds what: the words of its head are scored together with the cells below. `Account Number` over ids loses
// against a column of phone numbers, and where two columns are alike, nothing is chosen.
import { plainText } from "../../util/text/plainText.ts";
import { isPhoneCell } from "./tableRows.ts";

export const columnNames = ["number", "name", "gender", "salesPersonName"] as const;
export type ColumnName = (typeof columnNames)[number];

/** The index of each column, from 0 on; -1: the table has none, or it is not known which. */
export type Columns = Record<ColumnName, number>;

interface Words {
  /** The head says that this is the column. */
  clear: RegExp;
  /** The head may mean it. */
  vague: RegExp;
  /** The head means something else, whatever other words it has. */
  other: RegExp;
}

/** The words of heads in tables of people, in the languages of test/corpus/tables.ts. */
const WORDS: Record<ColumnName, Words> = {
  number: {
    clear:
      /手机|手機|电话|電話|携帯|联系方式|聯絡方式|^号码$|被叫|휴대|전화|phone|mobile|msisdn|callee|(?<!\p{sc=Latn})(?:cell|tel|gsm|hp|handy)(?!\p{sc=Latn})|^(?:number|rufnummer)$|telefon|téléphone|teléfono|telefone|celular|móvil|portable|rufnummer|телефон|сотовый|мобильный/iu,
    vague: /号码|號碼|番号|번호|number|nummer|numéro|número|номер|contact|联系人|whatsapp/i,
    other:
      /身份证|证件|订单|单号|银行|卡号|账号|账户|帳號|工号|学号|车牌|传真|傳真|编号|编码|序号|邮编|销售|业务员|客服|紧急|類型|类型|备注|(?<!\p{sc=Latn})(?:id|no|type|label|kind|ext|extension|code|count|date|time|status|model|brand|fax|zip|iban|vat|tax|imei|sales|agent|owner|emergency)(?!\p{sc=Latn})|account|document|passport|order|invoice|customer[ _-]*n|serial|card|ticket|policy|postal|reference|verified|house|street|факс|паспорт|договор|счет/iu,
  },
  name: {
    clear:
      /^(?:客户|联系人|用户|会员|学员|学生|家长|患者|收件人|收货人|对方)?(?:的)?(?:姓名|名字|名称|称呼|全名)$|^(?:(?:full|contact|customer|client|display|lead|person|patient|member)[ _-]*)?name$|^氏名|^お?名前|^お客様名$|^성명$|^이름$|^ф\.?и\.?о\.?$|^имя$|^nombre(?: completo)?$|^nom(?: complet)?$|^nome(?: completo)?$|^(?:naam|nama(?: lengkap)?|navn|namn|nimi|név|jméno|imię(?: i nazwisko)?|ad soyad|isim|họ(?: và)? tên|όνομα|(?:ال)?اسم|שם(?: מלא)?|नाम|ชื่อ(?:-?สกุล)?)$/iu,
    vague: /姓名|名字|联系人|given.?name|first.?name|^f_?name$|^vorname$|^prénom$|name/i,
    other:
      /公司|企业|单位|部门|项目|产品|课程|商品|任务|门店|学校|文件|销售|业务|company|compan|organi[sz]ation|firm|account|product|file|user|project|campaign|event|last|sur|family|middle|maiden|nick|short|login|domain|host|school|bank|street|city|state|country|department|yomi|phonetic|prefix|suffix|list|task|sales|agent|owner|number|id(?!\p{sc=Latn})|фамилия/iu,
  },
  gender: {
    clear: /性别|性別|^gender$|^sex$|^geschlecht$|^sexe$|^sexo$|^пол$|^성별$/i,
    vague: /gender/i,
    other: /id(?!\p{sc=Latn})/iu,
  },
  salesPersonName: {
    clear:
      /^(?:所属|跟进)?(?:销售|业务员|销售员|销售人员|销售顾问|顾问)(?:的)?(?:姓名|名字|名称)?$|^sales[ _-]*(?:person|rep|man|agent|owner)?(?:[ _-]*name)?$/i,
    vague: /销售|业务员|sales|account.?(?:owner|manager)/i,
    other:
      /额|量|日期|时间|电话|手机|号码|编号|部门|渠道|amount|date|volume|phone|mobile|number|total|channel|id(?!\p{sc=Latn})/iu,
  },
};

type Fit = "clear" | "vague" | "none" | "other";

const SCORES: Record<Fit, number> = { clear: 1, vague: 0.6, none: 0.5, other: 0.1 };
/** A column is chosen if it is this much better than the next one. */
const MARGIN = 1.6;

/** Mobile No., 手机No, No. Telp. Alone or behind other words, as in Order No, it says nothing of phones. */
const NUMBER_SHORT =
  /(?<=(?:phone|mobile|mob|contact|tel|telp|cell|whatsapp|wa|hp|gsm|手机|电话)\.? ?)no\.?$|^no(?=\.? ?(?:tel|telp|telepon|hp|handphone|wa|whatsapp)$)/i;

function fitOf(name: ColumnName, head: string): Fit {
  const { clear, vague, other } = WORDS[name];
  // Without remarks: Phone (required).
  const plain = plainText(head).replaceAll(/\([^()]*\)/g, " ");
  const text = plain
    .replaceAll(/[_\s*]+/g, " ")
    .trim()
    .replace(NUMBER_SHORT, "number");
  if (text === "") return "none";
  if (other.test(text)) return "other";
  return clear.test(text) ? "clear" : vague.test(text) ? "vague" : "none";
}

/** How many cells of a row are heads of columns that a table of people has. */
export const knownHeads = (cells: readonly string[]): number =>
  cells.filter(
    (cell) => cell.length <= 40 && columnNames.some((name) => ["clear", "vague"].includes(fitOf(name, cell))),
  ).length;

export interface Guess {
  columns: Columns;
  /** Columns that are not chosen because others look like them, too. */
  unsure: ColumnName[];
}

/** `head`: empty where the table has none. `rows`: some of the rows below it. `chosen`: by somebody who knows. */
export function guessColumns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  chosen: Partial<Columns> = {},
): Guess {
  const columns: Columns = { number: -1, name: -1, gender: -1, salesPersonName: -1, ...chosen };
  const unsure: ColumnName[] = [];
  const width = Math.max(head.length, ...rows.map(({ length }) => length));
  const places = Array.from({ length: width }, (_, at) => at);
  for (const name of columnNames) {
    if (chosen[name] !== undefined) continue;
    const free = places.filter((at) => !Object.values(columns).includes(at));
    const choice = name === "number" ? chooseNumbers(head, rows, free) : chooseByHead(name, head, rows, free);
    if (choice === "unsure") unsure.push(name);
    else columns[name] = choice;
  }
  return { columns, unsure };
}

type Choice = number | "unsure";

function chooseNumbers(head: readonly string[], rows: readonly (readonly string[])[], places: number[]): Choice {
  const scored = places.map((at) => {
    const fit = fitOf("number", head[at] ?? "");
    const share = rows.filter((row) => isPhoneCell(row[at] ?? "")).length / Math.max(1, rows.length);
    return { at, fit, score: share * SCORES[fit] };
  });
  const [best, second] = scored.sort((one, other) => other.score - one.score);
  const clear = scored.filter(({ fit }) => fit === "clear");
  // No cell is a phone number, so that each row is told as faulty.
  if (!best || best.score === 0) return clear.length === 1 ? (clear[0]?.at ?? 0) : places.length === 1 ? 0 : "unsure";
  if (best.fit === "other" || (best.fit !== "clear" && clear.length > 0)) return "unsure";
  return isAhead(best.score, second?.score) ? best.at : "unsure";
}

/** Without a head that names it, a column is none. */
function chooseByHead(
  name: ColumnName,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  places: number[],
): Choice {
  const scored = places
    .map((at) => {
      const fit = fitOf(name, head[at] ?? "");
      const cells = rows.map((row) => row[at] ?? "").filter((cell) => cell !== "");
      // Words, and no numbers or addresses. An empty column is as good as none.
      const words = cells.filter((cell) => /\p{L}/u.test(cell) && !/\d{3}|@/.test(cell)).length;
      const share = (words + (name === "gender" ? cells.length - words : 0)) / Math.max(1, rows.length);
      return { at, score: fit === "clear" || fit === "vague" ? share * SCORES[fit] : 0 };
    })
    .filter(({ score }) => score > 0);
  const [best, second] = scored.sort((one, other) => other.score - one.score);
  if (!best) return -1;
  return isAhead(best.score, second?.score) ? best.at : "unsure";
}

const isAhead = (best: number, second = 0): boolean => best >= MARGIN * second;
