/** What the model reads about AskUserQuestion. */
export const ASK_USER_QUESTION_PROMPT = `Asks the user one to four questions and waits for the answers.

- Use it when the answer changes what you do next and neither the task nor the files say it: a choice between ways, a missing fact, an unclear wish. Do not ask whether you may go on, or what you can find out yourself.
- Each question has two to four options. The user may also write something else, so give no option "Other".
- label is a few words, description says what it means or costs. preview may show code or a layout.
- If you would choose one, put it first and end its label with "(recommended)".
- multiSelect: several options may be chosen. Then word the question so ("Which of these …").
- header is a short title of the question, twelve characters or so.`;
