;;; Run inside Emacs with Eglot: a finding appears, its story is shown, a proved fix makes it go.  -*- lexical-binding: t -*-
(load (expand-file-name "emacs_steps" (file-name-directory load-file-name)))
(require 'eglot)
(add-to-list 'eglot-server-programs `((c-mode c++-mode) . (,(getenv "HEDDLE_TEST_BINARY") "lsp")))
(add-hook 'c-mode-hook #'eglot-ensure)
(setq eglot-sync-connect 30)

(find-file (getenv "HEDDLE_TEST_FILE"))
(run-hooks 'post-command-hook)          ; the first command of a user: Eglot connects
(unless (eglot-managed-p) (heddle-fail "Eglot did not connect"))
(flymake-start)
(heddle-wait "no diagnostics" (lambda () (= (length (flymake-diagnostics)) 2)))
(let ((first (car (flymake-diagnostics))))
  (unless (string-match-p "data-race" (flymake-diagnostic-text first)) (heddle-fail (flymake-diagnostic-text first)))
  (goto-char (flymake-diagnostic-beg first)))

(defun heddle-pick (pattern)
  "Picks the action whose title matches PATTERN from the menu of `eglot-code-actions', as a user does."
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_ items &rest _)
               (car (or (cl-find-if (lambda (item) (string-match-p pattern (car item))) items)
                        (heddle-fail (format "no %s among %S" pattern (mapcar #'car items))))))))
    (let ((last-nonmenu-event 13))
      (eglot-code-actions (point) nil nil t))))

(heddle-pick "^Show the interleaving")
(heddle-story-in
 (heddle-wait "no interleaving"
              (lambda () (car (file-expand-wildcards (concat (getenv "HEDDLE_RUNTIME_DIR") "/interleaving-*.txt"))))))

(heddle-wait "no proved fix"
             (lambda () (cl-some (lambda (action) (string-match-p "(proved: " (plist-get action :title)))
                                 (eglot-code-actions (point)))))
(heddle-pick "(proved: ")
(heddle-mended)
(save-buffer)
(heddle-wait "the finding stays" (lambda () (null (flymake-diagnostics))))
(message "ok")
(kill-emacs 0)
