-- Run inside Neovim: a finding appears, its story is shown, a proved fix makes it go. Says "ok" at the end.
local file, mended = vim.env.HEDDLE_TEST_FILE, vim.env.HEDDLE_TEST_MENDED
local function fail(what)
  io.stderr:write("neovim: " .. what .. "\n" .. vim.inspect(vim.diagnostic.get(0)) .. "\n")
  vim.cmd("cquit 1")
end
local function wait(what, condition)
  if not vim.wait(60000, condition, 50) then fail(what) end
end

vim.cmd("edit " .. vim.fn.fnameescape(file))
local shown
local client = vim.lsp.start_client({
  name = "heddle",
  cmd = { vim.env.HEDDLE_TEST_BINARY, "lsp" },
  root_dir = vim.fn.fnamemodify(file, ":h"),
  handlers = {
    ["workspace/codeLens/refresh"] = function() return vim.NIL end,
    ["window/showDocument"] = function(_, params)
      shown = vim.uri_to_fname(params.uri)
      return { success = true }
    end,
  },
})
vim.lsp.buf_attach_client(0, client)
wait("no diagnostics", function() return #vim.diagnostic.get(0) == 2 end)
local diagnostic = vim.diagnostic.get(0)[1]
if diagnostic.source ~= "heddle" or diagnostic.code ~= "data-race" then fail("another diagnostic") end

-- The action whose title matches, as the menu of `vim.lsp.buf.code_action` has it.
local function action(pattern)
  local place = { line = diagnostic.lnum, character = diagnostic.col }
  local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = place, ["end"] = place },
    context = { diagnostics = {} },
  }, 30000)
  for _, offered in pairs(answers[client].result) do
    if offered.title:find(pattern) then return offered end
  end
end
local show = action("^Show the interleaving")
if not show then fail("no action that shows the interleaving") end
vim.lsp.buf_request_sync(0, "workspace/executeCommand", show.command, 30000)
local path = vim.fn.glob(vim.env.HEDDLE_RUNTIME_DIR .. "/interleaving-*.txt")
if path == "" then fail("no interleaving") end
local text = table.concat(vim.fn.readfile(path), "\n")
if not text:find("\nNothing orders ") then fail("no story") end
if not text:find("counter%+%+") then fail("no interleaving in the document") end

local fix
wait("no proved fix", function()
  fix = action("%(proved: ")
  return fix ~= nil
end)
vim.lsp.util.apply_workspace_edit(fix.edit, "utf-16")
if not vim.deep_equal(vim.api.nvim_buf_get_lines(0, 0, -1, false), vim.fn.readfile(mended)) then fail("another text") end
vim.cmd("write")
wait("the finding stays", function() return #vim.diagnostic.get(0) == 0 end)
vim.lsp.stop_client(client)
io.stdout:write("ok\n")
vim.cmd("qall!")
